/// The counts of one row, over all of its ads.
struct InsightsFigures: Sendable {
  private(set) var counts = DeliveryCounts()
  private var people = DeliveryCounts()
  private var mostPeople = DeliveryCounts()

  /// Adds what was counted of one ad, and the people behind it.
  mutating func add(_ counts: DeliveryCounts, of ad: AdDelivery) {
    self.counts += counts
    let people = counts.mapped(ad.people)
    self.people += people
    mostPeople = mostPeople.larger(people)
  }

  /// Adds what was counted at other times.
  static func += (left: inout InsightsFigures, right: InsightsFigures) {
    left.counts += right.counts
    left.people += right.people
    left.mostPeople = left.mostPeople.larger(right.mostPeople)
  }

  /// The different people behind a count; some have seen several of the ads.
  func people(_ count: DeliveryCount) -> Int {
    let (sum, most) = (people[count], mostPeople[count])
    return sum - (sum - most) &* 3 / 20
  }

  /// The value in millionths; nil if nothing can be divided.
  func millionths(_ number: InsightsNumber) -> Int128? {
    let amount = amount(number.amount) * Int128(number.factor)
    guard let divisor = number.divisor else {
      return Self.quotient(amount, by: scale(number.amount))
    }
    return Self.quotient(
      amount * scale(divisor), by: self.amount(divisor) * scale(number.amount))
  }

  /// A list's entries with their values in millionths; those without a value are left out.
  func entries(_ list: InsightsList, of actions: [InsightsAction]) -> [Entry] {
    let (impressions, links) = (Int128(counts[.impressions]), Int128(counts[.linkClicks]))
    let (reach, linkPeople) = (Int128(people(.impressions)), Int128(people(.linkClicks)))
    let cents = Int128(counts[.cents])
    switch list {
    case .actions: return entries(actions) { sum($0) * 1_000_000 }
    case .uniqueActions: return entries(actions) { uniqueSum($0) * 1_000_000 }
    case .actionValues:
      return entries(actions.filter { $0.counts == [.purchases] }) { _ in
        Int128(counts[.purchaseCents]) * 10_000
      }
    case .costPerActionType: return entries(actions) { Self.quotient(cents, by: sum($0) * 100) }
    case .costPerUniqueActionType:
      return entries(actions) { Self.quotient(cents, by: uniqueSum($0) * 100) }
    case .outboundClicks: return entry("outbound_click", links, per: 1)
    case .uniqueOutboundClicks: return entry("outbound_click", linkPeople, per: 1)
    case .costPerOutboundClick: return entry("outbound_click", cents, per: links * 100)
    case .costPerUniqueOutboundClick: return entry("outbound_click", cents, per: linkPeople * 100)
    case .outboundClicksRate: return entry("outbound_click", links * 100, per: impressions)
    case .uniqueOutboundClicksRate: return entry("outbound_click", linkPeople * 100, per: reach)
    case .websiteRate: return entry("link_click", links * 100, per: impressions)
    case .purchaseReturn, .websitePurchaseReturn:
      let type = list == .purchaseReturn ? "omni_purchase" : "offsite_conversion.fb_pixel_purchase"
      guard actions.contains(where: { $0.type == type }) else { return [] }
      return entry(type, Int128(counts[.purchaseCents]), per: cents)
    }
  }

  /// The value of one type of action, in millionths.
  typealias Entry = (type: String, value: Int128)

  private func entry(_ type: String, _ number: Int128, per divisor: Int128) -> [Entry] {
    guard number > 0, let value = Self.quotient(number, by: divisor) else { return [] }
    return [(type, value)]
  }

  private func entries(
    _ actions: [InsightsAction], _ value: (InsightsAction) -> Int128?
  ) -> [Entry] {
    actions.compactMap { action in
      sum(action) == 0 ? nil : value(action).map { (action.type, $0) }
    }
  }

  private func sum(_ action: InsightsAction) -> Int128 {
    action.counts.reduce(0) { $0 + Int128(counts[$1]) }
  }

  private func uniqueSum(_ action: InsightsAction) -> Int128 {
    action.counts.reduce(0) { $0 + Int128(people($1)) }
  }

  private func amount(_ amount: InsightsNumber.Amount) -> Int128 {
    switch amount {
    case .count(let count), .money(let count): Int128(counts[count])
    case .people(let count): Int128(people(count))
    case .engagement: InsightsAction.engagement.reduce(0) { $0 + Int128(counts[$1]) }
    }
  }

  private func scale(_ amount: InsightsNumber.Amount) -> Int128 {
    if case .money = amount { 100 } else { 1 }
  }

  /// A quotient in millionths, rounded to the nearest; nil if there is nothing to divide by.
  private static func quotient(_ number: Int128, by divisor: Int128) -> Int128? {
    divisor > 0 ? (number * 2_000_000 + divisor) / (divisor * 2) : nil
  }

  /// A number of millionths as Graph writes it: up to six decimals, no zeros at the end.
  static func text(_ millionths: Int128) -> String {
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest != 0 else { return String(whole) }
    var decimals = GraphTime.padded(Int(rest), 6)
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }
}
