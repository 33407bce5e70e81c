internal import JSONPath

/// The events of one append as one row of a journal: a list of their texts, and their bodies one after
/// the other.
///
/// One row for each event would cost more than everything else that is done for a read. An object
/// without a kind represents two events: an attempt, and the outcome that it determined. Most attempts
/// are like that, and both events would repeat the request, the item and the status.
struct EventBlock {
  /// The list: each event's members after its kind and the size of its body, if it has one.
  let json: [UInt8]
  /// The bodies; nil if no event has one.
  let body: [UInt8]?

  init(_ events: [RunEvent]) {
    var bodies: [UInt8] = []
    bodies.reserveCapacity(events.reduce(0) { $0 + ($1.body?.count ?? 0) })
    var hasBodies = false
    var writer = EventWriter()
    writer.text.reserve(events.count * 160)
    // The previous attempt; the next one does not repeat the members of the same call.
    var previous: AttemptEnd?
    var index = 0
    writer.list { writer in
      while index < events.count {
        let event = events[index]
        let outcome = event.outcome(in: events, at: index + 1)
        let body = outcome == nil ? event.body : outcome?.body
        writer.separate()
        writer.object { writer in
          if outcome == nil { _ = writer.required("event", event.kind) }
          if let body {
            hasBodies = true
            bodies += body
            _ = writer.required("body", body.count)
          }
          if case .attemptEnded(let attempt) = event {
            _ = AttemptEnd(attempt, &writer, after: previous)
            if let outcome { _ = RequestEnd(outcome, &writer, request: 0, item: nil, code: nil) }
            previous = attempt
          } else {
            event.write(to: &writer)
          }
        }
        index += outcome == nil ? 1 : 2
      }
    }
    writer.text.trim()
    json = writer.text.bytes
    body = hasBodies ? bodies : nil
  }

  /// Decodes the text and the bodies of a row; throws a message about what is missing or invalid.
  static func events(in json: [UInt8], body: [UInt8]?) throws(EventDecodingError) -> [RunEvent] {
    var rest = (body ?? [])[...]
    var events: [RunEvent] = []
    var previous: AttemptEnd?
    for var reader in try EventReader.list(json) {
      var own: [UInt8]?
      if let size: Int = try reader.optional("body", nil) {
        guard (0...rest.count).contains(size) else {
          throw EventDecodingError(message: "a body is truncated")
        }
        own = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      let kind: String? = try reader.optional("event", nil)
      switch kind {
      case nil, RunEvent.attemptKind:
        let attempt = try AttemptEnd(nil, &reader, after: previous)
        previous = attempt
        events.append(.attemptEnded(attempt))
        guard kind == nil else { continue }
        let id = attempt.attempt
        var end = try RequestEnd(
          nil, &reader, request: id.request, item: id.item, code: attempt.code)
        end.body = own
        events.append(.requestEnded(end))
      case let kind?: events.append(try RunEvent(kind: kind, &reader, body: own))
      }
    }
    guard rest.isEmpty else {
      throw EventDecodingError(message: "there are extra bytes after the bodies")
    }
    return events
  }
}

extension RunEvent {
  /// The outcome that this attempt determined, if it is the event at an index.
  fileprivate func outcome(in events: [RunEvent], at index: Int) -> RequestEnd? {
    guard index < events.count, case .attemptEnded(let attempt) = self, attempt.failure == nil,
      case .requestEnded(let end) = events[index], end.failure == nil,
      end.request == attempt.attempt.request, end.code == attempt.code,
      end.item == attempt.attempt.item
    else { return nil }
    return end
  }
}
