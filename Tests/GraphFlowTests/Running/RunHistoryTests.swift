import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The events of a run with a changed file are converted to the indices of its last file.
struct RunHistoryTests {
  private func start(_ names: String...) -> RunEvent {
    SampleRuns.start(
      names.enumerated().map { index, name in
        RequestFacts(name: name, method: .post, path: "me/feed", line: index + 4, dependsOn: [])
      })
  }

  private func end(_ request: Int) -> RunEvent {
    .requestEnded(RequestEnd(request: request, status: .succeeded))
  }

  private func names(_ history: RunHistory) -> [String] {
    guard case .runStarted(let start)? = history.events.first else { return [] }
    return start.requests.map(\.name)
  }

  @Test func `the history of a run with an unchanged file is its journal`() {
    let journal = [start("a", "b"), SampleRuns.call(1, [(0, 1), (1, 1)]), end(0), end(1)]

    #expect(RunHistory(journal).events == journal)
  }

  /// The list of baselines ends with the last write that has one.
  @Test func `a call with fewer baselines than operations keeps those it has`() throws {
    func call(_ operations: [(Int, Int)], _ baselines: [Int]) -> RunEvent {
      guard case .callStarted(var call) = SampleRuns.call(1, operations) else { return end(0) }
      call.baselines = baselines
      return .callStarted(call)
    }

    let journal = [start("a", "b"), call([(0, 1), (1, 1)], [7]), start("b", "a")]

    #expect(RunHistory(journal).events.last == call([(1, 1), (0, 1)], [7, 0]))
  }

  @Test func `requests that moved are found by their names`() {
    let journal = [
      start("a", "b"), SampleRuns.call(1, [(0, 1), (1, 1)]), end(0), end(1), start("new", "b", "a"),
      end(0),
    ]

    let history = RunHistory(journal)

    #expect(names(history) == ["new", "b", "a"])
    #expect(
      history.events.dropFirst()
        == [SampleRuns.call(1, [(2, 1), (1, 1)]), end(2), end(1), end(0)])
  }

  @Test func `sent requests that are no longer in the file come last and are not continued`() {
    let journal = [
      start("gone", "never sent", "b"), SampleRuns.call(1, [(0, 1), (2, 1)]), end(0), end(2),
      start("b"),
    ]

    let history = RunHistory(journal)

    #expect(names(history) == ["b", "gone"])
    #expect(history.events.dropFirst() == [SampleRuns.call(1, [(1, 1), (0, 1)]), end(1), end(0)])
    #expect(history.events(ofFirst: 1).dropFirst() == [SampleRuns.call(1, [(0, 1)]), end(0)])
  }

  @Test func `a file may change more than once`() {
    let journal = [
      start("a", "b"), SampleRuns.call(1, [(0, 1)]), end(0), start("b", "c"),
      SampleRuns.call(2, [(1, 1)]), end(1), start("c", "a", "b"), end(2),
    ]

    let history = RunHistory(journal)

    #expect(names(history) == ["c", "a", "b"])
    #expect(
      history.events.dropFirst() == [
        SampleRuns.call(1, [(1, 1)]), end(1), SampleRuns.call(2, [(0, 1)]), end(0), end(2),
      ])
  }

  @Test func `events with unknown indices do not trap`() {
    let history = RunHistory(HostileEvents.all + [start("a")] + HostileEvents.all)

    #expect(Report(of: history.events).start != nil)
    #expect(RunHistory([]).events.isEmpty)
  }
}
