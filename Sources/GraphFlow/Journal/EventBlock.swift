internal import JSONPath

/// The events of one append as they stand in one row of a journal: their texts as a list, and their
/// bodies one behind the other.
///
/// A row for each event would cost more than all else that is done for a read.
struct EventBlock {
  /// What the kind's column says of such a row.
  static let kind = "events"

  /// The list: each event's members behind its kind and the size of its body, if it has one.
  let json: [UInt8]
  /// The bodies; nil if no event has one.
  let body: [UInt8]?

  /// Joins events.
  init(_ events: [RunEvent]) {
    var bodies: [UInt8] = []
    var hasBodies = false
    var writer = EventWriter()
    writer.reserve(events.count * 160)
    writer.list(events) { event, writer in
      writer.member("event", event.kind)
      if let body = event.body {
        hasBodies = true
        bodies += body
        writer.member("body", body.count)
      }
      event.write(to: &writer)
    }
    json = writer.bytes
    body = hasBodies ? bodies : nil
  }

  /// Takes a row's text and bodies apart.
  ///
  /// - Throws: What is missing or wrong.
  static func events(in json: [UInt8], body: [UInt8]?) throws(EventFault) -> [RunEvent] {
    var rest = (body ?? [])[...]
    var events: [RunEvent] = []
    for reader in try EventReader.list(json) {
      var own: [UInt8]?
      if let size = try reader.integer("body") {
        guard (0...rest.count).contains(size) else { throw EventFault(message: "no whole body") }
        own = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      let kind = try reader.required("event", reader.string)
      events.append(try RunEvent(kind: kind, reader, body: own))
    }
    guard rest.isEmpty else { throw EventFault(message: "a body too many") }
    return events
  }
}
