import ArgumentParser
package import GraphFlow

/// The flags that `plan` and `run` share, so that a plan shows what a run would do.
struct PackingOptions: ParsableArguments {
  @Option(help: "What to aim at when requests are packed into batches.")
  var strategy: PackingStrategy = .fewestCalls

  @Option(
    help: ArgumentHelp(
      "The most operations in one batch, 1 to 50; fewer time out less on heavy reads.",
      valueName: "n"
    )
  )
  var batchSize = 50

  func validate() throws {
    guard (1...50).contains(batchSize) else {
      throw ValidationError("--batch-size is \(batchSize), but must be from 1 to 50")
    }
  }

  /// What a batch may hold.
  func limits(unsafeWrites: Int = BatchLimits().unsafeWrites) -> BatchLimits {
    BatchLimits(width: batchSize, unsafeWrites: unsafeWrites, strategy: strategy)
  }
}

extension PackingStrategy: ExpressibleByArgument {}
