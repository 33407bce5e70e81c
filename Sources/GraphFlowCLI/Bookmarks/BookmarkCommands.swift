import ArgumentParser
import GraphAPI
import GraphFlow
import JSONPath

/// `graphflow state list`: which windows of days were read.
struct StateListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the states of groups: which windows of days were read.",
    discussion: """
      A group has another state after a change of its requests or columns, and for another profile.

      Example:

        graphflow state list
        graphflow state list --format json | graphflow query '$[?@.failed > 0].file'
      """)

  @Option(help: "A table (text) or a list of objects (json).")
  var format: OutputFormat = .text

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let store = try state.store()
    let kept = try KeptState.all(in: store.bookmarks)
    switch format {
    case .json: try Terminal.printJSON(list: kept.map(\.json))
    case .text where kept.isEmpty:
      Terminal.notify("no windows were read in '\(Untrusted.shown(store.place))'")
    case .text:
      let header = ["STATE", "GROUP", "READ", "FAILED", "FROM", "UNTIL", "PROFILE", "FILE"]
      let text = TextTable.text(of: [header] + kept.map(\.columns))
      try Terminal.printResult(Array(text.utf8))
    }
  }
}

/// `graphflow state show`: the windows of a state.
struct StateShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show which windows of days were read, account by account.",
    discussion: """
      Example: the days of each ad account that were read, and those that could not be read:

        graphflow state show ads.yaml
      """)

  @Argument(help: .value("state", "A state of graphflow state list, or a workflow file."))
  var name: String

  @Option(help: "Ranges of days (text) or a list of windows (json).")
  var format: OutputFormat = .text

  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let kept = try KeptState.named(name, in: try state.store())
    switch format {
    case .json: try Terminal.printJSON(list: kept.flatMap(\.windows))
    case .text:
      try Terminal.printResult(Array(kept.map(\.ranges).joined(separator: "\n").utf8))
    }
  }
}

/// `graphflow state reset`: forgets that windows were read.
struct StateResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forget that windows of days were read, so that they are read again.",
    discussion: """
      Files stay as they are until the windows are read again.

      Example: read a month of one ad account again in the next run:

        graphflow state reset ads.yaml --of act_1 --windows 2026-10-01..2026-10-31
      """)

  @Argument(help: .value("state", "A state of graphflow state list, or a workflow file."))
  var name: String

  @OptionGroup var choice: WindowChoice
  @OptionGroup(title: "Output") var state: StateOptions

  func run() throws {
    let store = try state.store()
    var count = 0
    for kept in try KeptState.named(name, in: store, with: choice.elements) {
      let windows = kept.bookmarks.map(\.window).filter(choice.includes)
      try store.bookmarks.remove(windows, of: kept.owner)
      count += windows.count
    }
    try Terminal.printResult("forgot \(count == 1 ? "1 window" : "\(count) windows")")
  }
}

/// `graphflow state set`: records that windows were read.
struct StateSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Record that windows of days were read, so that no run reads them.",
    discussion: """
      For what another tool has read before, or after a change of the file that changes no rows.

      Example: only days from October on are still to be read of an ad account:

        graphflow state set ads.yaml --of act_1 --windows 2024-01-01..2026-09-30

      Example: keep what was read before the file was changed:

        graphflow state set ads.yaml --like 1f2e3d4c
      """)

  @Argument(help: .value("file", "The workflow."), completion: .workflows)
  var file: String

  @Option(help: .value("name", "The group; needed if several have windows with a state."))
  var group: String?

  @Option(help: .value("state", "Take over the windows of this state."))
  var like: String?

  @OptionGroup var choice: WindowChoice
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Graph API") var target: ProfileOptions
  @OptionGroup(title: "Output") var state: StateOptions

  func validate() throws {
    try require(
      like != nil || choice.windows != nil,
      "no windows are chosen: give --windows 2026-01-01..2026-06-30, or --like STATE")
  }

  func run() throws {
    let store = try state.store()
    let workflow = try WorkflowFiles.workflow(at: file, quietly: true)
    let (index, windows) = try keptGroup(of: workflow)
    let settings = try target.settings()
    let owner = BookmarkOwner(
      of: index, in: workflow, try inputs.resolved(for: workflow, quietly: true),
      profile: settings.profile ?? workflow.token, graph: settings.graphURL.description)
    let known = Set(
      try store.bookmarks.bookmarks(of: owner).map { [$0.window.element, $0.window.since] })
    let news = try bookmarks(in: store, windows).filter {
      !known.contains([$0.window.element, $0.window.since])
    }
    try store.bookmarks.keep(news, of: owner)
    try Terminal.printResult(
      "recorded \(news.count == 1 ? "1 window" : "\(news.count) windows") of '\(owner.group)'")
  }

  private func bookmarks(in store: any StateStore, _ days: DayWindows) throws -> [Bookmark] {
    if let like {
      return try KeptState.named(like, in: store, with: choice.elements).flatMap(\.bookmarks)
        .filter { $0.isFinished && choice.includes($0.window) }
    }
    guard let range = choice.windows else { return [] }
    guard days.elements == nil || !choice.elements.isEmpty else {
      throw CommandFailure(
        .usage, "each account or page has its own windows", hint: "name them with --of ID")
    }
    return (days.elements == nil ? [""] : choice.elements).flatMap { element in
      (days.cut?.length.windows(in: range) ?? [range.seconds]).map {
        Bookmark(
          Bookmark.Window(element: element, since: $0.since, until: $0.until), isFinished: true)
      }
    }
  }

  /// The group whose windows have a state.
  private func keptGroup(of workflow: Workflow) throws -> (Int, DayWindows) {
    let groups = workflow.groups.enumerated().compactMap { index, group in
      group.source.keptWindows.map { (index, group.name, $0) }
    }
    guard let found = groups.first(where: { $0.1 == group ?? $0.1 }) else {
      throw CommandFailure(.usage, "'\(file)' has no such group with windows that have a `state`")
    }
    guard group != nil || groups.count == 1 else {
      throw CommandFailure(
        .usage, "several groups have a state",
        hint: "choose one: " + groups.map { "--group \($0.1)" }.joined(separator: ", "))
    }
    return (found.0, found.2)
  }
}

/// The options that choose among windows.
struct WindowChoice: ParsableArguments {
  @Option(
    name: .customLong("of"),
    help: .value("id", "Only windows of this account or page; may be repeated."))
  var elements: [String] = []

  @Option(
    help: .value("days", "Only windows in this range, such as 2026-01-01..2026-06-30."),
    transform: WindowSelection.Backfill.init(argument:))
  var windows: WindowSelection.Backfill?

  func includes(_ window: Bookmark.Window) -> Bool {
    (elements.isEmpty || elements.contains(window.element))
      && (windows.map { $0.since <= window.since && window.until.prefix(10) <= $0.until } ?? true)
  }
}

/// A state of a group, as people see it.
private struct KeptState {
  let owner: BookmarkOwner
  let bookmarks: [Bookmark]

  static func all(in store: BookmarkStore) throws -> [KeptState] {
    try store.owners().map { KeptState(owner: $0, bookmarks: try store.bookmarks(of: $0)) }
  }

  /// The state with an id, or those of a workflow file; each of the accounts or pages has windows.
  static func named(
    _ name: String, in store: any StateStore, with elements: [String] = []
  ) throws -> [KeptState] {
    let owners = try store.bookmarks.owners()
    let file = StateDirectory.canonical(name)
    let found = owners.filter { $0.id == name || $0.file == file }
    guard !found.isEmpty else {
      throw CommandFailure(
        .unreadable, "there is no state '\(name)' in '\(store.place)'",
        hint: owners.isEmpty
          ? "a run of a workflow whose windows have a `state` makes one"
          : "graphflow state list shows all of them")
    }
    let states = try found.map {
      KeptState(owner: $0, bookmarks: try store.bookmarks.bookmarks(of: $0))
    }
    let known = Set(states.flatMap(\.bookmarks).map(\.window.element))
    if let unknown = elements.first(where: { !known.contains($0) }) {
      throw CommandFailure(
        .usage, "the state '\(name)' has no windows of '\(unknown)'",
        hint: "graphflow state show \(name) shows what it has windows of")
    }
    return states
  }

  private var failed: [Bookmark.Window] { bookmarks.filter { !$0.isFinished }.map(\.window) }

  var columns: [String] {
    [
      owner.id, Untrusted.shown(owner.group), String(bookmarks.count - failed.count),
      String(failed.count), first ?? "-", last ?? "-", Untrusted.shown(owner.profile),
      Untrusted.shown(owner.file) + (owner.graph == "sandbox" ? " (sandbox)" : ""),
    ]
  }

  private var first: String? { bookmarks.map(\.window.since).min() }
  private var last: String? { bookmarks.map(\.window.until).max() }

  var json: JSON {
    .object(
      JSON.Object([
        ("state", .string(owner.id)), ("file", .string(owner.file)),
        ("group", .string(owner.group)), ("profile", .string(owner.profile)),
        ("graph", .string(owner.graph)),
        ("read", .number(JSON.Number(bookmarks.count - failed.count))),
        ("failed", .number(JSON.Number(failed.count))), ("from", first.map(JSON.string) ?? .null),
        ("until", last.map(JSON.string) ?? .null),
      ]))
  }

  var windows: [JSON] {
    bookmarks.map { bookmark in
      .object(
        JSON.Object([
          ("state", .string(owner.id)), ("id", .string(bookmark.window.element)),
          ("since", .string(bookmark.window.since)), ("until", .string(bookmark.window.until)),
          ("status", bookmark.isFinished ? "read" : "failed"),
          ("run", bookmark.run.isEmpty ? .null : .string(bookmark.run)),
          ("files", .array(bookmark.files.map(\.json))),
        ]))
    }
  }

  /// The days of each element that were read, and those that could not be read.
  var ranges: String {
    var lines = ["\(owner.group) of \(owner.file), profile \(owner.profile), state \(owner.id)"]
    for (element, own) in Dictionary(grouping: bookmarks, by: \.window.element)
      .sorted(by: { $0.key < $1.key })
    {
      let name = element.isEmpty ? "" : "\(element)  "
      for (label, isFinished) in [("", true), ("failed: ", false)] {
        let windows = own.filter { $0.isFinished == isFinished }.map(\.window)
        guard !windows.isEmpty else { continue }
        lines.append("  \(name)\(label)\(DayRanges.text(of: windows.map { ($0.since, $0.until) }))")
      }
    }
    return lines.map { Untrusted.shown($0) + "\n" }.joined()
  }
}

extension WindowSelection.Backfill {
  /// From the first second of its days to the last one, as the bookmarks of what is new write it.
  fileprivate var seconds: (since: String, until: String) {
    ("\(since)T00:00:00Z", "\(until)T23:59:59Z")
  }
}

extension BookmarkOwner {
  /// A short name for the command line.
  var id: String {
    var digest = FileDigest()
    for text in [file, profile, graph, group, definition] { digest.update(Array(text.utf8) + [0]) }
    return String(digest.text.prefix(8))
  }
}
