/// A condensed plan, in which similar parts appear once.
///
/// The instances of one request for many items become one row, calls that carry the same requests for
/// other items become one card, and rounds of the same cards become one band. So the outline of a
/// million items is as short as that of a hundred.
struct PlanOutline: Sequence, IteratorProtocol {
  /// One request in a card.
  struct Row {
    let request: Int
    /// The items for which it is sent; empty outside groups.
    var items = NumberRanges()
    /// The requests of the same call whose results Graph fills into it.
    var references: [Int] = []
    /// The requests of the same call that its `depends_on` names.
    var dependsOn: [Int] = []

    /// Adds another row of the same request.
    mutating func merge(_ next: Row) {
      items = items.union(next.items)
      references += next.references.filter { !references.contains($0) }
      dependsOn += next.dependsOn.filter { !dependsOn.contains($0) }
    }
  }

  /// Calls of one round that carry the same requests.
  struct Card {
    /// The numbers of the calls.
    var calls: ClosedRange<Int>
    var operationCount: Int
    /// The number of operations in the largest of them.
    var largest: Int
    /// Their requests, each once.
    var rows: [Row] = []
    /// The calls whose answers they need.
    var after: NumberRanges
    /// Why the last of them holds no more operations.
    var closeReason: CloseReason
  }

  /// Rounds of the same cards.
  struct Band {
    /// The numbers of the rounds.
    var rounds: ClosedRange<Int>
    /// The concurrent calls of each round.
    var cards: [Card]
  }

  private let workflow: Workflow
  private var course: PlanRounds
  /// The band after the last one that was returned.
  private var following: Band?

  init(of plan: Plan) {
    workflow = plan.workflow
    course = plan.course
    following = nextRound()
  }

  mutating func next() -> Band? {
    guard var band = following else { return nil }
    following = nextRound()
    while let next = following, band.cards.count == 1, next.cards.count == 1,
      let card = merged(band.cards[0], next.cards[0])
    {
      band = Band(rounds: band.rounds.lowerBound...next.rounds.upperBound, cards: [card])
      following = nextRound()
    }
    return band
  }

  /// The next round as a band of its own.
  private mutating func nextRound() -> Band? {
    guard let round = course.next() else { return nil }
    var cards: [Card] = []
    for card in round.calls.lazy.map(Card.init) {
      if let last = cards.last, let merged = merged(last, card) {
        cards[cards.count - 1] = merged
      } else {
        cards.append(card)
      }
    }
    return Band(rounds: round.number...round.number, cards: cards)
  }

  /// Merges two cards if they carry the same requests, all of them for items.
  private func merged(_ card: Card, _ next: Card) -> Card? {
    guard (card.closeReason == .alone) == (next.closeReason == .alone),
      card.rows.count == next.rows.count, card.calls.upperBound + 1 == next.calls.lowerBound,
      card.rows.allSatisfy({ workflow.requests[$0.request].group != nil })
    else { return nil }
    let others = Dictionary(uniqueKeysWithValues: next.rows.map { ($0.request, $0) })
    var merged = card
    for place in merged.rows.indices {
      guard let row = others[merged.rows[place].request] else { return nil }
      merged.rows[place].merge(row)
    }
    merged.calls = card.calls.lowerBound...next.calls.upperBound
    merged.operationCount += next.operationCount
    merged.largest = Swift.max(card.largest, next.largest)
    merged.after = card.after.union(next.after)
    merged.closeReason = next.closeReason
    return merged
  }
}

extension PlanOutline.Card {
  fileprivate init(_ call: Plan.Call) {
    let count = call.operations.count
    self.init(
      calls: call.number...call.number, operationCount: count, largest: count, after: call.after,
      closeReason: call.closeReason)
    var places: [Int: Int] = [:]
    for operation in call.operations {
      let place = places[operation.request] ?? rows.count
      if place == rows.count {
        places[operation.request] = place
        rows.append(PlanOutline.Row(request: operation.request))
      }
      if let item = operation.item { rows[place].items.insert(item) }
      for reference in operation.inBatchReferences
      where !rows[place].references.contains(reference) { rows[place].references.append(reference) }
      if let dependsOn = operation.dependsOn, !rows[place].dependsOn.contains(dependsOn) {
        rows[place].dependsOn.append(dependsOn)
      }
    }
  }
}
