import ArgumentParser
import GraphAPI
import GraphFlow

/// The options for what a run may do.
struct RunLimits: ParsableArguments {
  static let maximumConcurrency = 1000

  @Option(help: ArgumentHelp("The most calls active at a time.", valueName: "n"))
  var concurrency = BatchLimits.standardConcurrency

  @OptionGroup var budget: BudgetOption

  @Flag(help: "Show inputs, permissions and plan, and send nothing.")
  var dryRun = false

  @Flag(help: "Refuse a workflow that holds a POST or a DELETE.")
  var readOnly = false

  @Flag(help: "Stop the whole run if a permission is missing.")
  var requirePermissions = false

  @OptionGroup var unsafeWrites: UnsafeWritesOption

  func validate() throws { try RunLimits.validate(concurrency: concurrency) }

  static func validate(concurrency: Int) throws {
    guard (1...maximumConcurrency).contains(concurrency) else {
      throw ValidationError("--concurrency is \(concurrency), but must be from 1 to 1000")
    }
  }

  /// Refuses a workflow that the options do not allow, before anything is sent.
  func check(_ workflow: Workflow) throws {
    guard readOnly else { return }
    guard let write = workflow.requests.first(where: \.isWrite) else { return }
    let verb = write.method.rawValue
    throw CommandFailure(
      .invalid,
      "--read-only: '\(write.name)' (line \(write.location.line)) is a \(verb); nothing was sent")
  }
}
