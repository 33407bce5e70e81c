/// A plan as people read it: what is alike is told once.
///
/// Instances of one request for many items become one row, calls that carry the same requests for
/// other items one card, and rounds of the same cards one band. So an outline of a million items is
/// as short as one of a hundred.
struct PlanOutline {
  /// One request in a card.
  struct Row: Hashable, Sendable {
    /// The request's index.
    let request: Int
    /// The items for which it is sent; none outside groups.
    var items = NumberRanges()
    /// The requests of the same call whose results Graph puts into it.
    var references: [Int] = []
    /// The requests of the same call that it is told to wait for.
    var dependsOn: [Int] = []
  }

  /// Calls of one round that carry the same requests.
  struct Card: Hashable, Sendable {
    /// The numbers of the calls.
    var calls: ClosedRange<Int>
    /// Whether they are operations that are sent alone.
    let isSingle: Bool
    /// How many operations they carry together.
    var operationCount: Int
    /// How many operations the largest of them carries.
    var largest: Int
    /// What they carry, each request once.
    var rows: [Row]
    /// The calls whose answers they need.
    var after: NumberRanges
    /// Why the last of them holds no more.
    var end: Plan.End
  }

  /// Rounds of the same cards.
  struct Band: Hashable, Sendable {
    /// The numbers of the rounds.
    var rounds: ClosedRange<Int>
    /// What is under way together in each of them.
    var cards: [Card]
  }

  private let workflow: Workflow
  private var open: Band?

  /// Begins an outline.
  init(of workflow: Workflow) {
    self.workflow = workflow
  }

  /// Takes the next round; returns the band before it once nothing can be added to that.
  mutating func add(_ round: Plan.Round) -> Band? {
    let band = Band(rounds: round.number...round.number, cards: cards(of: round))
    guard let last = open else {
      open = band
      return nil
    }
    if let joined = joined(last, band) {
      open = joined
      return nil
    }
    open = band
    return last
  }

  /// The last band.
  mutating func finish() -> Band? {
    defer { open = nil }
    return open
  }

  private func cards(of round: Plan.Round) -> [Card] {
    var cards: [Card] = []
    for call in round.calls {
      let card = card(of: call)
      if let last = cards.last, let joined = joined(last, card) {
        cards[cards.count - 1] = joined
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
      where !rows[place].references.contains(reference) {
        rows[place].references.append(reference)
      }
      if let dependsOn = operation.dependsOn, !rows[place].dependsOn.contains(dependsOn) {
        rows[place].dependsOn.append(dependsOn)
      }
    }
    return Card(
      calls: call.number...call.number,
      isSingle: call.isSingle,
      operationCount: call.operations.count,
      largest: call.operations.count,
      rows: rows,
      after: call.after,
      end: call.end
    )
  }

  /// Two cards as one, if they carry the same requests, all of them for items.
  private func joined(_ card: Card, _ next: Card) -> Card? {
    guard card.isSingle == next.isSingle, card.rows.count == next.rows.count,
      card.calls.upperBound + 1 == next.calls.lowerBound,
      card.rows.allSatisfy({ workflow.requests[$0.request].group != nil })
    else { return nil }
    let others = Dictionary(uniqueKeysWithValues: next.rows.map { ($0.request, $0) })
    guard card.rows.allSatisfy({ others[$0.request] != nil }) else { return nil }
    var joined = card
    joined.calls = card.calls.lowerBound...next.calls.upperBound
    joined.operationCount += next.operationCount
    joined.largest = max(card.largest, next.largest)
    joined.rows = card.rows.map { row in others[row.request].map(row.joined) ?? row }
    joined.after = card.after.union(next.after)
    joined.end = next.end
    return joined
  }

  /// Two bands as one, if each has one card and these carry the same.
  private func joined(_ band: Band, _ next: Band) -> Band? {
    guard band.cards.count == 1, next.cards.count == 1,
      let card = joined(band.cards[0], next.cards[0])
    else { return nil }
    return Band(rounds: band.rounds.lowerBound...next.rounds.upperBound, cards: [card])
  }
}

extension PlanOutline.Row {
  /// The same request for the items of both.
  fileprivate func joined(_ next: PlanOutline.Row) -> PlanOutline.Row {
    var row = self
    row.items = items.union(next.items)
    row.references += next.references.filter { !references.contains($0) }
    row.dependsOn += next.dependsOn.filter { !dependsOn.contains($0) }
    return row
  }
}
