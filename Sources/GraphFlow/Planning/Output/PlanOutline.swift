/// A condensed plan, in which similar parts appear once.
///
/// The instances of one request for many items become one row, calls that carry the same requests for
/// other items become one card, and rounds of the same cards become one band. So the outline of a
/// million items is as short as that of a hundred.
struct PlanOutline {
  /// One request in a card.
  struct Row: Hashable, Sendable {
    /// The request's index.
    let request: Int
    /// The items for which it is sent; empty outside groups.
    var items = NumberRanges()
    /// The requests of the same call whose results Graph fills into it.
    var references: [Int] = []
    /// The requests of the same call that its `depends_on` names.
    var dependsOn: [Int] = []
  }

  /// Calls of one round that carry the same requests.
  struct Card: Hashable, Sendable {
    /// The numbers of the calls.
    var calls: ClosedRange<Int>
    /// Whether each call is a single operation that is sent alone.
    let isSingle: Bool
    /// The number of operations in all of them.
    var operationCount: Int
    /// The number of operations in the largest of them.
    var largest: Int
    /// Their requests, each once.
    var rows: [Row]
    /// The calls whose answers they need.
    var after: NumberRanges
    /// Why the last of them holds no more operations.
    var closeReason: Plan.CloseReason
  }

  /// Rounds of the same cards.
  struct Band: Hashable, Sendable {
    /// The numbers of the rounds.
    var rounds: ClosedRange<Int>
    /// The concurrent calls of each round.
    var cards: [Card]
  }

  private let workflow: Workflow
  private var open: Band?

  /// Starts an outline.
  init(of workflow: Workflow) { self.workflow = workflow }

  /// Adds the next round; returns the band before it if the round does not belong to that band.
  mutating func add(_ round: Plan.Round) -> Band? {
    let band = Band(rounds: round.number...round.number, cards: cards(of: round))
    guard let last = open else {
      open = band
      return nil
    }
    if let merged = merged(last, band) {
      open = merged
      return nil
    }
    open = band
    return last
  }

  /// Ends the outline; returns the last band.
  mutating func finish() -> Band? {
    defer { open = nil }
    return open
  }

  private func cards(of round: Plan.Round) -> [Card] {
    var cards: [Card] = []
    for call in round.calls {
      let card = card(of: call)
      if let last = cards.last, let merged = merged(last, card) {
        cards[cards.count - 1] = merged
      } else {
        cards.append(card)
      }
    }
    return cards
  }

  private func card(of call: Plan.Call) -> Card {
    var rows: [Row] = []
    var places: [Int: Int] = [:]
    for operation in call.operations {
      let place = places[operation.request] ?? rows.count
      if place == rows.count {
        places[operation.request] = place
        rows.append(Row(request: operation.request))
      }
      if let item = operation.item { rows[place].items = rows[place].items.adding(item) }
      for reference in operation.inBatchReferences
      where !rows[place].references.contains(reference) { rows[place].references.append(reference) }
      if let dependsOn = operation.dependsOn, !rows[place].dependsOn.contains(dependsOn) {
        rows[place].dependsOn.append(dependsOn)
      }
    }
    return Card(
      calls: call.number...call.number, isSingle: call.isSingle,
      operationCount: call.operations.count, largest: call.operations.count, rows: rows,
      after: call.after, closeReason: call.closeReason)
  }

  /// Merges two cards if they carry the same requests, all of them for items.
  private func merged(_ card: Card, _ next: Card) -> Card? {
    guard card.isSingle == next.isSingle, card.rows.count == next.rows.count,
      card.calls.upperBound + 1 == next.calls.lowerBound,
      card.rows.allSatisfy({ workflow.requests[$0.request].group != nil })
    else { return nil }
    let others = Dictionary(uniqueKeysWithValues: next.rows.map { ($0.request, $0) })
    guard card.rows.allSatisfy({ others[$0.request] != nil }) else { return nil }
    var merged = card
    merged.calls = card.calls.lowerBound...next.calls.upperBound
    merged.operationCount += next.operationCount
    merged.largest = max(card.largest, next.largest)
    merged.rows = card.rows.map { row in others[row.request].map(row.merged) ?? row }
    merged.after = card.after.union(next.after)
    merged.closeReason = next.closeReason
    return merged
  }

  /// Merges two bands if each has one card, and these can be merged.
  private func merged(_ band: Band, _ next: Band) -> Band? {
    guard band.cards.count == 1, next.cards.count == 1,
      let card = merged(band.cards[0], next.cards[0])
    else { return nil }
    return Band(rounds: band.rounds.lowerBound...next.rounds.upperBound, cards: [card])
  }
}

extension PlanOutline.Row {
  /// Merges two rows of the same request.
  fileprivate func merged(_ next: PlanOutline.Row) -> PlanOutline.Row {
    var row = self
    row.items = items.union(next.items)
    row.references += next.references.filter { !references.contains($0) }
    row.dependsOn += next.dependsOn.filter { !dependsOn.contains($0) }
    return row
  }
}
