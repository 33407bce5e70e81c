import ArgumentParser
import GraphAPI
import GraphFlow

/// The flags that say what a run may do.
struct RunLimits: ParsableArguments {
  /// The most calls that may be under way at a time, whatever a flag says.
  static let maximumConcurrency = 1000

  @Option(help: ArgumentHelp("The most calls under way at a time.", valueName: "n"))
  var concurrency = BatchLimits.standardConcurrency

  @OptionGroup var budget: BudgetOption

  @Flag(help: "Show what would be done, up to the first byte sent.")
  var dryRun = false

  @Flag(help: "Refuse a workflow that holds a POST or a DELETE.")
  var readOnly = false

  @Flag(help: "Stop the whole run if a permission is missing.")
  var requirePermissions = false

  @OptionGroup var unsafeWrites: UnsafeWritesOption

  func validate() throws { try RunLimits.validate(concurrency: concurrency) }

  /// Refuses a number of calls that no run may have under way.
  static func validate(concurrency: Int) throws {
    guard (1...maximumConcurrency).contains(concurrency) else {
      throw ValidationError("--concurrency is \(concurrency), but must be from 1 to 1000")
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
