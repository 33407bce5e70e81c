import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Windows whose reading is kept, and outputs with a file for each item.
struct WindowStateTests {
  private static func file(_ windows: String, lookback: String = "0d") -> String {
    """
    graphflow: 1
    requests:
      source: {get: source, batch: alone}
      each:
        for_each:
          windows: \(windows)
          of: "{result=source:$.data}"
          since: 2025-11-01
          until: 2025-11-19
          state: {lookback: \(lookback)}
        key: "{item=$.id}/{item=$.since}"
        get: "{item=$.id}/{item=$.since}"
        batch: alone
    outputs:
      rows: {each: each, columns: {day: "{item=$.since}"}, file: "out/{item=$.id}/{item=$.since}.csv"}

    """
  }

  private static func bookmark(
    _ element: String, _ since: String, _ until: String? = nil, isFinished: Bool = true
  ) -> Bookmark {
    let window = Bookmark.Window(element: element, since: since, until: until ?? since)
    return Bookmark(window, isFinished: isFinished)
  }

  /// The paths that a run asks for after its source, and the parts that it hands over.
  private func sent(
    _ text: String, data: String = #"[{"id": "a"}, "b"]"#, after bookmarks: [Bookmark] = [],
    _ selection: WindowSelection = WindowSelection()
  ) throws -> (paths: [String], run: Simulation) {
    var options = RunOptions()
    options.windows = selection
    var run = try Simulation(workflow(text), options: options, bookmarks: bookmarks)
    run.answering(["source": #"{"data": \#(data)}"#])
    _ = try run.run()
    return (run.calls.flatMap(\.operations).map(\.path).filter { $0 != "source" }, run)
  }

  @Test func `only windows without a bookmark are read, and those of the look-back`() throws {
    let days = (1...19).map { "2025-11-" + ($0 < 10 ? "0" : "") + String($0) }
    let known = days.map { Self.bookmark("a", $0) }.filter { $0.window.since != days[4] }
    let first = try sent(Self.file("day"), after: known)
    #expect(first.paths == ["a/2025-11-05"] + days.map { "b/" + $0 })

    let second = try sent(Self.file("day", lookback: "3d"), after: known)
    #expect(
      second.paths.filter { $0.hasPrefix("a") } == [
        "a/2025-11-05", "a/2025-11-17", "a/2025-11-18", "a/2025-11-19",
      ])
    let ended = second.run.parts.compactMap { part -> String? in
      guard case .window(0, let bookmark) = part, bookmark.isFinished else { return nil }
      let window = bookmark.window
      return "\(window.element) \(window.since) \(window.until)"
    }
    #expect(ended.count == 23 && ended.first == "a 2025-11-05 2025-11-05", "\(ended)")
  }

  @Test func `a window that was cut short is read again when it is longer`() throws {
    let known = [
      Self.bookmark("a", "2025-10-27", "2025-11-02"),
      Self.bookmark("a", "2025-11-03", "2025-11-09"),
      Self.bookmark("a", "2025-11-10", "2025-11-16"),
      Self.bookmark("a", "2025-11-17", "2025-11-18"),
    ]
    let paths = try sent(Self.file("week"), data: #"["a"]"#, after: known).paths
    #expect(paths == ["a/2025-11-17"])
  }

  @Test(arguments: [DayWindows.Length.days(1), .days(7), .days(90), .week, .month])
  func `the windows of any two ranges are the same or have no day in common`(
    _ length: DayWindows.Length
  ) {
    for first in Int64(20_000)..<20_100 {
      let start = length.start(of: first)
      #expect(start <= first && length.start(of: start) == start)
      let windows = length.windows(from: start, through: first + 200)
      #expect(windows.first?.contains(first) == true)
      for window in windows { #expect(length.start(of: window.upperBound) == window.lowerBound) }
    }
  }

  @Test(arguments: [#"[{"name": "a"}]"#, "[null]", "[{\"id\": \"\"}]"])
  func `an element without an id fails the group`(_ data: String) throws {
    let (paths, run) = try sent(Self.file("day"), data: data)
    #expect(paths.isEmpty)
    let message = run.outcomes["each"]?.failure?.error.message
    #expect(message?.contains("no `id`") == true, "\(run.outcomes)")
  }

  @Test func `the options choose the windows`() throws {
    let known = [
      Self.bookmark("a", "2025-11-01"), Self.bookmark("a", "2025-11-02", isFinished: false),
    ]
    var selection = WindowSelection()
    selection.backfill = WindowSelection.Backfill("2025-10-31..2025-11-03")
    func paths() throws -> [String] {
      try sent(Self.file("day"), data: #"["a"]"#, after: known, selection).paths
    }
    #expect(try paths() == ["a/2025-10-31", "a/2025-11-02", "a/2025-11-03"])
    selection.reprocessing = .none
    #expect(try paths() == ["a/2025-10-31", "a/2025-11-03"])
    selection.reprocessing = .all
    selection.isNewestFirst = true
    #expect(try paths() == ["a/2025-11-03", "a/2025-11-02", "a/2025-11-01", "a/2025-10-31"])
    let both = try sent(Self.file("day"), after: known, selection).paths
    #expect(both.prefix(3) == ["a/2025-11-03", "b/2025-11-03", "a/2025-11-02"])
  }

  @Test(arguments: [
    "2025-11-02..2025-11-01", "2025-11-01", "2025-11-01..", "..", "2025-02-30..2025-03-01",
  ])
  func `what is no range of days is refused`(_ text: String) {
    #expect(WindowSelection.Backfill(text) == nil)
  }

  private static let items = """
    graphflow: 1
    requests:
      each: {for_each: %, get: "{item}", batch: alone}
    outputs:
      rows: {each: each, columns: {id: "{result=each:$.id}"}, file: "out/{item}.jsonl"}

    """

  @Test func `each item has a file of its own, and those that fail have none`() throws {
    var run = try Simulation(
      workflow(Self.items.replacing("%", with: "[c, a, b]")))
    run.answering(failing: "a")
    let end = try #require(try run.run())

    #expect(end.outputs == ["rows": ["rows": 2, "files": 2, "missing": 1]])
    let files = run.parts.files
    #expect(files == ["out/b.jsonl": [["id": "b"]], "out/c.jsonl": [["id": "c"]]])
  }

  @Test(arguments: [
    (#"["x/y", b]"#, "which cannot be a part of a file's name"),
    (#"["..", b]"#, "which cannot be a part of a file's name"),
    (#"[".x", b]"#, "which cannot be a part of a file's name"),
    (#"["a\u0000", b]"#, "which cannot be a part of a file's name"),
    (#"["", b]"#, "which cannot be a part of a file's name"),
    (#"[b, b]"#, "another item already has the file 'out/b.jsonl'"),
  ])
  func `a name that leads elsewhere, or that another item has, fails the item`(
    _ items: String, _ message: String
  ) throws {
    var run = try Simulation(workflow(Self.items.replacing("%", with: items)))
    run.answering([:])
    _ = try run.run()

    #expect(run.calls.count == 1)
    let failures = run.outcomes.values.compactMap(\.failure?.error.message)
    #expect(failures.count == 1 && failures[0].contains(message), "\(failures)")
  }
}
