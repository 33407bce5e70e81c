/// The events of a run, renumbered to the last version of its workflow file.
///
/// A second ``RunEvent/runStarted(_:)`` starts a changed file, and the indices of requests in later
/// events are those of the changed file. A fold over events needs one meaning of an index. All
/// indices are therefore mapped to the last file's, by the requests' names. Requests of earlier
/// files alone come after the last file's requests.
package struct RunHistory: Sendable {
  /// The events as if the run had started with its last file.
  package let events: [RunEvent]

  package init(_ journal: [RunEvent]) {
    var starts: [RunStart] = []
    for event in journal { if case .runStarted(let start) = event { starts.append(start) } }
    guard starts.count > 1, var last = starts.last else {
      events = journal
      return
    }
    let sent = RunHistory.namesSent(in: journal)
    var places: [String: Int] = [:]
    for (index, facts) in last.requests.enumerated() { places[facts.name] = index }
    for facts in starts.dropLast().reversed().flatMap(\.requests)
    where places[facts.name] == nil && sent.contains(facts.name) {
      places[facts.name] = last.requests.count
      last.requests.append(facts)
    }
    if let first = starts.first { last.startedAt = first.startedAt }
    var events = [RunEvent.runStarted(last)]
    var (names, facts) = ([String](), [RequestFacts]())
    for event in journal {
      if case .runStarted(let start) = event {
        facts = start.requests
        names = facts.map(\.name)
        continue
      }
      // A changed report needs a run of its own.
      if case .reportRun(let run) = event, facts.indices.contains(run.request),
        let place = places[names[run.request]],
        last.requests[place].definition != facts[run.request].definition
      {
        continue
      }
      let moved = event.renumbered { index in
        names.indices.contains(index) ? places[names[index]] : nil
      }
      if let moved { events.append(moved) }
    }
    self.events = events
  }

  /// The events without those of requests from index `count` on.
  package func events(ofFirst count: Int) -> [RunEvent] {
    events.compactMap { $0.renumbered { $0 < count ? $0 : nil } }
  }

  /// The names of the requests that were sent.
  private static func namesSent(in journal: [RunEvent]) -> Set<String> {
    var sent: Set<String> = []
    var names: [String] = []
    for event in journal {
      switch event {
      case .runStarted(let start): names = start.requests.map(\.name)
      case .callStarted(let call):
        let requests = call.operations.lazy.map(\.request).filter(names.indices.contains)
        sent.formUnion(requests.map { names[$0] })
      default: break
      }
    }
    return sent
  }
}

extension RunEvent {
  /// The event with mapped indices; nil if it is about a request without a mapping.
  func renumbered(_ place: (Int) -> Int?) -> RunEvent? {
    switch self {
    case .callStarted(var start):
      let kept = start.operations.indices.filter { place(start.operations[$0].request) != nil }
      if !start.baselines.isEmpty {
        // The list may be shorter than the operations: it ends with the last baseline.
        start.baselines = kept.map { $0 < start.baselines.count ? start.baselines[$0] : 0 }
      }
      start.operations = start.operations.compactMap { operation in
        place(operation.request).map {
          AttemptID(request: $0, number: operation.number, item: operation.item)
        }
      }
      return .callStarted(start)
    case .attemptEnded(var end):
      guard let index = place(end.attempt.request) else { return nil }
      end.attempt.request = index
      return .attemptEnded(end)
    case .requestEnded(var end):
      guard let index = place(end.request) else { return nil }
      end.request = index
      return .requestEnded(end)
    case .itemsListed(var list):
      guard let index = place(list.request) else { return nil }
      list.request = index
      return .itemsListed(list)
    case .reportRun(var run):
      guard let index = place(run.request) else { return nil }
      run.request = index
      return .reportRun(run)
    case .runStarted, .runResumed, .endLost, .permissionsRead, .tokenRead, .callEnded,
      .baselineRead, .paused, .concurrencyChanged, .runEnded:
      return self
    }
  }
}
