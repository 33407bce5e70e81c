import ArgumentParser
import GraphAPI
import GraphFlow

/// The flags that say what a run may do.
struct RunLimits: ParsableArguments {
  /// The most calls that may be under way at a time, whatever a flag says.
  static let mostConcurrent = 1000

  @Option(help: ArgumentHelp("The most calls under way at a time.", valueName: "n"))
  var concurrency = BatchLimits.standardConcurrency

  @OptionGroup var budget: BudgetOption

  @Flag(help: "Show what would be done, up to the first byte sent.")
  var dryRun = false

  @Flag(help: "Refuse a workflow that holds a POST or a DELETE.")
  var readOnly = false

  @Flag(help: "Stop the whole run if a permission is missing.")
  var requirePermissions = false

  @Option(
    help: ArgumentHelp(
      "The most writes under way that can be neither repeated nor looked up.",
      valueName: "n"
    )
  )
  var maxUnsafeWrites = 50

  func validate() throws {
    guard (1...RunLimits.mostConcurrent).contains(concurrency) else {
      throw ValidationError("--concurrency is \(concurrency), but must be from 1 to 1000")
    }
    guard maxUnsafeWrites >= 1 else {
      throw ValidationError("--max-unsafe-writes is \(maxUnsafeWrites), but must be at least 1")
    }
  }

  /// Refuses what the flags do not allow, before anything is sent.
  func check(_ workflow: Workflow) throws {
    guard readOnly else { return }
    guard let write = workflow.requests.first(where: \.isWrite) else { return }
    let verb = write.method.rawValue
    throw CommandFailure(
      .invalid,
      "--read-only: '\(write.name)' (line \(write.location.line)) is a \(verb); nothing was sent"
    )
  }
}
