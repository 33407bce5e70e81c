/// What was counted of an ad's delivery; counts add up.
enum DeliveryCount: Int, CaseIterable, Sendable {
  case impressions
  /// All clicks.
  case clicks
  /// The cost, in hundredths of the currency's unit.
  case cents
  case linkClicks
  case landingPageViews
  case contentViews
  case cartAdditions
  case purchases
  /// The value of purchases, in hundredths of the currency's unit.
  case purchaseCents
  case reactions
  case comments
  case shares
  case pageLikes
}

/// Counts of one kind each.
struct DeliveryCounts: Hashable, Sendable {
  private(set) var values = SIMD16<Int>()

  subscript(count: DeliveryCount) -> Int {
    get { values[count.rawValue] }
    set { values[count.rawValue] = newValue }
  }

  static func += (left: inout DeliveryCounts, right: DeliveryCounts) {
    left.values &+= right.values
  }

  /// The larger of two counts of each kind.
  func larger(_ other: DeliveryCounts) -> DeliveryCounts {
    var larger = self
    larger.values = pointwiseMax(values, other.values)
    return larger
  }

  /// The counts with each value changed.
  func mapped(_ change: (Int) -> Int) -> DeliveryCounts {
    var mapped = DeliveryCounts()
    for count in DeliveryCount.allCases { mapped[count] = change(self[count]) }
    return mapped
  }
}

/// A count that follows from another one, as purchases follow from visits.
struct DeliveryStep: Sendable {
  let count: DeliveryCount
  let source: DeliveryCount
  /// How many of a thousand; of the value of purchases, a thousand times the price.
  let permille: Int

  /// The steps for one ad, each after its source.
  ///
  /// People who click a link, react, comment, share or like the page are parts of those who click.
  static func all(_ dice: Dice) -> [DeliveryStep] {
    [
      .init(count: .linkClicks, source: .clicks, permille: 620 + dice.roll(-1, below: 180)),
      .init(
        count: .landingPageViews, source: .linkClicks, permille: 700 + dice.roll(-2, below: 200)),
      .init(
        count: .contentViews, source: .landingPageViews, permille: 600 + dice.roll(-3, below: 300)),
      .init(
        count: .cartAdditions, source: .contentViews, permille: 120 + dice.roll(-4, below: 160)),
      .init(count: .purchases, source: .cartAdditions, permille: 200 + dice.roll(-5, below: 300)),
      .init(
        count: .purchaseCents, source: .purchases,
        permille: (1_500 + 50 * dice.roll(-6, below: 120)) * 1_000),
      .init(count: .reactions, source: .clicks, permille: 100 + dice.roll(-7, below: 50)),
      .init(count: .comments, source: .clicks, permille: 20),
      .init(count: .shares, source: .clicks, permille: 10),
      .init(count: .pageLikes, source: .clicks, permille: 15),
    ]
  }
}
