import ArgumentParser
import GraphFlow

/// The options for which windows of days a run reads.
struct WindowOptions: ParsableArguments {
  @Option(
    help: .value(
      "days",
      "Read the windows of this range, such as 2026-01-01..2026-06-30, instead of the file's.",
      discussion: """
        For groups whose windows have a `state`: what was read before is not read again, and the next \
        run continues with the file's own range.
        """), transform: WindowSelection.Backfill.init(argument:))
  var backfill: WindowSelection.Backfill?

  @Option(
    help: ArgumentHelp(
      "Which windows are read again that an earlier run has tried: none, those that failed, or all."
    ))
  var reprocess = WindowSelection.Reprocessing.failed

  @Flag(help: "Read the newest windows first.")
  var newestFirst = false

  var selection: WindowSelection {
    var selection = WindowSelection()
    selection.backfill = backfill
    selection.reprocessing = reprocess
    selection.isNewestFirst = newestFirst
    return selection
  }

  /// Refuses a workflow that keeps no windows, if an option needs some, and a range of what is new.
  func check(_ workflow: Workflow) throws {
    if backfill != nil, let group = workflow.groups.first(where: \.source.listsNews) {
      throw CommandFailure(
        .usage, "'\(group.name)' reads what is new, which has no --backfill",
        hint: "give 'since' an earlier day, and run with --reprocess all")
    }
    guard selection != WindowSelection(),
      !workflow.groups.contains(where: { $0.source.keptWindows != nil })
    else { return }
    throw CommandFailure(
      .usage, "'\(workflow.source.path)' has no windows with a `state`",
      hint: "--backfill, --reprocess and --newest-first choose among these windows")
  }
}

extension WindowSelection.Reprocessing: ExpressibleByArgument {}

extension WindowSelection.Backfill {
  /// Reads the value of an option.
  init(argument text: String) throws {
    guard let range = Self(text) else {
      throw ValidationError("'\(text)' is not a range of days such as 2026-01-01..2026-06-30")
    }
    self = range
  }
}
