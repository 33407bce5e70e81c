/// The events of a run whose workflow file may have changed on the way.
///
/// A second ``RunEvent/runStarted(_:)`` begins a changed file: from there on indices of requests are
/// those of that file. Who folds events wants one meaning of an index, so all of them are brought to
/// the last file's, by the requests' names. What only an earlier file has comes after its requests.
package struct RunHistory: Sendable {
  /// The events as if the run had begun with its last file.
  package let events: [RunEvent]

  /// Reads events as a journal holds them.
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
    var names: [String] = []
    for event in journal {
      if case .runStarted(let start) = event {
        names = start.requests.map(\.name)
        continue
      }
      let moved = event.renumbered { index in
        names.indices.contains(index) ? places[names[index]] : nil
      }
      if let moved { events.append(moved) }
    }
    self.events = events
  }

  /// The events that are about the first so many requests, those of the last file.
  package func events(ofFirst count: Int) -> [RunEvent] {
    events.compactMap { $0.renumbered { $0 < count ? $0 : nil } }
  }

  /// The requests that anything became of.
  private static func namesSent(in journal: [RunEvent]) -> Set<String> {
    var sent: Set<String> = []
    var names: [String] = []
    for event in journal {
      switch event {
      case .runStarted(let start): names = start.requests.map(\.name)
      case .callStarted(let call):
        for operation in call.operations where names.indices.contains(operation.request) {
          sent.insert(names[operation.request])
        }
      default: break
      }
    }
    return sent
  }
}

extension RunEvent {
  /// The event with other indices of requests; nil if it is about one that has none.
  fileprivate func renumbered(_ place: (Int) -> Int?) -> RunEvent? {
    switch self {
    case .callStarted(var start):
      let kept = start.operations.indices.filter { place(start.operations[$0].request) != nil }
      if !start.baselines.isEmpty {
        // The list ends with the last write that has one.
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
    case .runStarted, .runResumed, .endLost, .permissionsRead, .tokenRead, .callEnded,
      .baselineRead, .paused, .runEnded:
      return self
    }
  }
}
