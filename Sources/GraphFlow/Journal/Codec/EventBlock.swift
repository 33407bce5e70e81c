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
    // The call of the previous attempt; the next one does not repeat its members.
    var previous: AttemptCall?
    var index = 0
    writer.list { writer in
      while index < events.count {
        let event = events[index]
        let outcome = event.outcome(in: events, at: index + 1)
        let body = outcome == nil ? event.body : outcome?.body
        writer.separate()
        writer.object { writer in
          if outcome == nil { writer.optional("event", event.kind) }
          if let body {
            hasBodies = true
            bodies += body
            writer.optional("body", body.count)
          }
          if case .attemptEnded(let attempt) = event {
            if let outcome {
              writer.write(attempt, outcome, after: previous)
            } else {
              _ = AttemptEnd(attempt, &writer, after: previous)
            }
            previous = AttemptCall(attempt)
          } else {
            event.write(to: &writer)
          }
        }
        index += outcome == nil ? 1 : 2
      }
    }
    json = writer.text.take()
    body = hasBodies ? bodies : nil
  }

  /// Decodes the text and the bodies of a row; throws a message about what is missing or invalid.
  static func events(in json: [UInt8], body: [UInt8]?) throws(EventDecodingError) -> [RunEvent] {
    var rest = (body ?? [])[...]
    var events: [RunEvent] = []
    var previous: AttemptCall?
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
        previous = AttemptCall(attempt)
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

extension EventWriter {
  /// Writes an attempt and its outcome.
  ///
  /// Most outcomes are usual. They are written here, because an initializer would make a value.
  fileprivate mutating func write(
    _ attempt: AttemptEnd, _ outcome: RequestEnd, after previous: AttemptCall?
  ) {
    guard attempt.outcome == .succeeded, outcome.isUsualSuccess else {
      _ = AttemptEnd(attempt, &self, after: previous)
      _ = RequestEnd(outcome, &self, request: 0, item: nil, code: nil)
      return
    }
    attempt.attempt.writeMembers(to: &self)
    _ = AttemptCall(AttemptCall(attempt), &self, after: previous)
    optional("code", attempt.code)
    optional("path", outcome.resolvedPath)
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

extension RequestEnd {
  /// Whether nothing but its path and its body is to be written.
  fileprivate var isUsualSuccess: Bool {
    status == .succeeded && !isTainted && !countsAsSuccess && rareValues == nil
  }
}
