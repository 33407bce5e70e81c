import JSONPath
import Testing

@testable import GraphFlow

@Suite
struct EventRoundTripTests {
  @Test(arguments: HostileEvents.all.indices)
  func `an event with hostile contents is read back unchanged`(number: Int) throws {
    let event = HostileEvents.all[number]
    let text = event.json
    #expect(try JSON(parsing: text).object != nil)
    let copy = try RunEvent(kind: event.kind, json: text, body: event.body)
    #expect(copy == event)
    // Equality of JSON ignores the order of members and the spelling of numbers; the text does not.
    #expect(copy.json == text)
  }

  @Test(arguments: HostileEvents.all.indices)
  func `an invalid event throws and never traps`(number: Int) throws {
    let event = HostileEvents.all[number]
    let text = event.json
    for end in stride(from: 0, to: min(text.count, 400), by: 7) {
      #expect(throws: EventDecodingError.self) {
        try RunEvent(kind: event.kind, json: Array(text[..<end]), body: nil)
      }
    }
    #expect(throws: EventDecodingError.self) { try RunEvent(kind: "later", json: text, body: nil) }
  }

  @Test(arguments: [
    ("run_resumed", #"{}"#), ("run_resumed", #"{"at":-1}"#), ("run_resumed", #"{"at":1e30}"#),
    ("run_resumed", #"{"at":9223372036854775807}"#), ("run_resumed", #"{"at":"now"}"#),
    ("run_resumed", #"[]"#), ("run_resumed", #"null"#), ("run_started", #"{"id":"../../etc"}"#),
    ("permissions_read", #"{"permissions":{}}"#), ("permissions_read", #"{"permissions":[1]}"#),
    ("call_started", #"{"call":1,"round":1,"kind":"other","at":1}"#),
    ("call_ended", #"{"call":1,"ms":1,"sent":1,"received":1,"usage":"{"}"#),
    ("request_ended", #"{"request":0,"status":"succeeded","tainted":1}"#),
    ("run_ended", #"{"at":1,"status":"failed","exit_code":1,"outputs":"[]"}"#),
  ])
  func `text of the wrong shape is invalid`(kind: String, text: String) {
    #expect(throws: EventDecodingError.self) {
      try RunEvent(kind: kind, json: Array(text.utf8), body: nil)
    }
  }

  @Test
  func `members of a later version are ignored`() throws {
    let text = #"{"at":12,"why":{"nobody":"knows"}}"#
    let event = try RunEvent(kind: "run_resumed", json: Array(text.utf8), body: nil)
    #expect(event == .runResumed(Timestamp(milliseconds: 12)))
  }
}
