import ArgumentParser
package import GraphFlow

/// The options that `plan` and `run` share, so that a plan shows the calls of a run.
struct PackingOptions: ParsableArguments {
  @Option(help: "The goal when requests are packed into batches.")
  var strategy: PackingStrategy = .fewestCalls

  @Option(
    help: ArgumentHelp(
      "The most operations in a batch, 1 to 50; small batches time out less on heavy reads.",
      valueName: "n"))
  var batchSize = 50

  func validate() throws {
    guard (1...50).contains(batchSize) else {
      throw ValidationError("--batch-size is \(batchSize), but must be from 1 to 50")
    }
  }

  func limits(unsafeWrites: Int = BatchLimits().unsafeWrites) -> BatchLimits {
    BatchLimits(width: batchSize, unsafeWrites: unsafeWrites, strategy: strategy)
  }
}

extension PackingStrategy: ExpressibleByArgument {}
