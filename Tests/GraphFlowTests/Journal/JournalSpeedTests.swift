import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Measures; run with `GRAPHFLOW_MEASURE=1 swift test -c release --filter Speed`.
@Suite(.serialized, .enabled(if: getenv("GRAPHFLOW_MEASURE") != nil))
struct JournalSpeedTests {
  @Test(arguments: [true, false])
  func `a hundred thousand requests are journaled and read`(durably: Bool) async throws {
    let scratch = try ScratchFolder()
    let body = #"{"data":[{"id":"1234567890_1234567890","message":"Hello"}],"paging":{}}"#
    let events = SampleRuns.reads(100_000) { _ in body }
    let journal = try StateDirectory(path: scratch.path).createJournal(for: SampleRuns.id)
    let clock = ContinuousClock()
    try await journal.append([events[0]], durably: true)
    let appending = try await clock.measure {
      for first in stride(from: 1, to: events.count, by: 100) {
        try await journal.append(
          Array(events[first..<min(first + 100, events.count)]), durably: durably)
      }
    }
    var count = 0
    let reading = try await clock.measure { count = try await journal.events().count }
    try await journal.close()
    #expect(count == events.count)
    print("append", durably ? "durably" : "lazily", appending, "of", events.count, "read", reading)
    print(Double(events.count) / (appending / .seconds(1)), "events/s")
  }

  @Test
  func `a small run costs little`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let events = SampleRuns.reads(2) { _ in "{}" }
    let time = try await ContinuousClock().measure {
      let journal = try state.createJournal(for: SampleRuns.id)
      for event in events { try await journal.append([event], durably: true) }
      try await journal.close()
    }
    print("a run of \(events.count) events, each durable: \(time)")
  }
}
