import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// One append writes one row.
@Suite
struct EventBlockTests {
  @Test
  func `two writers of one journal do not overwrite each other`() async throws {
    let scratch = try ScratchFolder()
    let state = StateDirectory(path: scratch.path)
    let one = try state.createJournal(for: SampleRuns.id)
    try await one.append(HostileEvents.all, durably: false)
    let other = try state.openJournal(SampleRuns.id)
    try await other.append(HostileEvents.all, durably: false)
    await #expect(throws: JournalError.self) {
      try await one.append(HostileEvents.all, durably: true)
    }
    #expect(try await other.events() == HostileEvents.all + HostileEvents.all)
    try await one.close()
    try await other.close()
  }

  @Test
  func `common fields of an attempt and its outcome are written once`() throws {
    func attempt(_ item: Int, call: Int, ms: Int64 = 7, code: Int? = 200) -> RunEvent {
      let id = AttemptID(request: 0, number: 1, item: ItemID(index: item, key: "k\(item)"))
      return .attemptEnded(
        AttemptEnd(
          attempt: id, call: call, startedAt: SampleRuns.timestamp(1), durationMilliseconds: ms,
          outcome: .succeeded, code: code))
    }
    func end(_ item: Int, code: Int? = 200, _ failure: Failure? = nil) -> RunEvent {
      .requestEnded(
        RequestEnd(
          request: 0, item: ItemID(index: item, key: "k\(item)"),
          status: failure == nil ? .succeeded : .failed, code: code, body: [UInt8(item)],
          failure: failure))
    }
    let broken = Failure(
      error: GraphError(message: "no"), category: .other, reason: .expectation, hint: "")
    let events = [
      attempt(1, call: 1), end(1), attempt(2, call: 1), end(2),
      // Of another call, which took another time.
      attempt(3, call: 2, ms: 8), end(3), attempt(4, call: 2, ms: 9), end(4),
      // Written separately: another item, another code, a failure, nothing after it.
      attempt(5, call: 2), end(6), attempt(7, call: 2), end(7, code: nil),
      attempt(8, call: 2), end(8, broken), end(9), attempt(10, call: 2),
    ]

    let block = EventBlock(events)

    let text = String(decoding: block.json, as: UTF8.self)
    let objects = try #require(try JSON(parsing: block.json).array)
    #expect(objects.count { $0["event"] == nil } == 4)
    #expect(text.split(separator: #""call":"#).count - 1 == 4)
    #expect(try EventBlock.events(in: block.json, body: block.body) == events)
    let orphan = #"[{"request":0,"attempt":1,"outcome":"succeeded"}]"#
    #expect(throws: EventDecodingError.self) {
      try EventBlock.events(in: Array(orphan.utf8), body: nil)
    }
  }

  @Test
  func `a block of events with mismatched bodies is invalid`() {
    let block = EventBlock(HostileEvents.all)
    for body in [nil, [], (block.body ?? []).dropLast(), (block.body ?? []) + [0]] as [[UInt8]?] {
      #expect(throws: EventDecodingError.self) { try EventBlock.events(in: block.json, body: body) }
    }
    for text in ["{}", "[1]", #"[{"event":"later"}]"#, #"[{"at":1}]"#, "["] {
      #expect(throws: EventDecodingError.self) {
        try EventBlock.events(in: Array(text.utf8), body: nil)
      }
    }
  }
}
