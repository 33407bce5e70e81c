import ArgumentParser
import GraphFlow

/// The flags that `plan` and `run` share, so that a plan shows what a run would do.
struct PackingOptions: ParsableArguments {
  /// What the packer aims at, as the flag spells it.
  enum Strategy: String, ExpressibleByArgument, CaseIterable {
    case fewestCalls = "fewest-calls"
    case fastest

    /// The strategy.
    var value: PackingStrategy {
      switch self {
      case .fewestCalls: .fewestCalls
      case .fastest: .fastest
      }
    }
  }

  @Option(help: "What to aim at when requests are packed into batches.")
  var strategy: Strategy = .fewestCalls

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
  var limits: BatchLimits { BatchLimits(width: batchSize, strategy: strategy.value) }
}
