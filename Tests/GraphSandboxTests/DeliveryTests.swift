import Testing

@testable import GraphSandbox

/// The model of an ad's delivery: its sums hold for any ad.
struct DeliveryTests {
  private static let today = 20_000
  private static let hour = 3_600

  /// An ad with a history of up to 60 days, and two periods of delivery after it.
  private static func ad(_ seed: UInt64) -> AdDelivery {
    var generator = SeededGenerator(seed: seed)
    var totals = DeliveryCounts()
    let sizes = [10, 1_000, 100_000, 1_000_000, 1_000_000_000_000]
    let impressions = Int.random(in: 0...sizes[Int(seed % 5)], using: &generator)
    totals[.impressions] = impressions
    totals[.clicks] = Int.random(in: 0...impressions, using: &generator)
    totals[.cents] = Int.random(in: 0...impressions, using: &generator)
    let days = Int.random(in: 1...60, using: &generator)
    let start = (today * 24 + Int.random(in: 0...100, using: &generator)) * hour
    return AdDelivery(
      "\(seed)", history: today - days..<today, totals: totals,
      reach: Int.random(in: 0...impressions, using: &generator),
      active: [start..<start + 500 * hour + 1_234, start + 700 * hour..<Int.max])
  }

  private static let later = (today + 100) * 86_400

  private static func sum(_ counts: some Sequence<DeliveryCounts>) -> DeliveryCounts {
    counts.reduce(into: DeliveryCounts()) { $0 += $1 }
  }

  /// Each count is part of another one.
  private static let parts: [(DeliveryCount, DeliveryCount)] = [
    (.clicks, .impressions), (.linkClicks, .clicks), (.landingPageViews, .linkClicks),
    (.contentViews, .landingPageViews), (.cartAdditions, .contentViews),
    (.purchases, .cartAdditions), (.reactions, .clicks), (.comments, .clicks),
  ]

  @Test(arguments: UInt64(0)..<40)
  func `the days of the history add up to the totals`(seed: UInt64) {
    let ad = Self.ad(seed)

    let days = ad.days(Self.today - 70...Self.today - 1, until: Self.later)

    let sum = Self.sum(days.map(\.counts))
    for count in [DeliveryCount.impressions, .clicks, .cents] {
      #expect(sum[count] == ad.totals[count], "\(count)")
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `what people do is part of what they have seen`(seed: UInt64) {
    let days = Self.ad(seed).days(Self.today - 70...Self.today + 90, until: Self.later)

    for day in days {
      for (part, whole) in Self.parts {
        #expect(day.counts[part] <= day.counts[whole], "\(part) of \(whole)")
      }
      #expect(DeliveryCount.allCases.allSatisfy { day.counts[$0] >= 0 })
      if day.counts[.purchases] == 0 { #expect(day.counts[.purchaseCents] == 0) }
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `a day is the same in any span, and at any later time`(seed: UInt64) {
    let ad = Self.ad(seed)
    let whole = ad.days(Self.today - 70...Self.today + 90, until: Self.later).map(\.counts)
    let middle = Self.today + Int(seed)

    let first = ad.days(Self.today - 70...middle, until: (middle + 1) * 86_400).map(\.counts)
    let second = ad.days(middle + 1...Self.today + 90, until: Self.later * 2).map(\.counts)

    #expect(first + second == whole)
  }

  @Test(arguments: UInt64(0)..<40)
  func `today grows from hour to hour`(seed: UInt64) {
    let ad = Self.ad(seed)
    let day = Self.today + 10
    var before = DeliveryCounts()
    for time in stride(from: day * 86_400, through: (day + 1) * 86_400, by: Self.hour / 2) {
      let counts = ad.days(day...day, until: time)[0].counts
      for count in DeliveryCount.allCases { #expect(counts[count] >= before[count]) }
      before = counts
    }
    #expect(before == ad.days(day...day, until: Self.later)[0].counts)
  }

  @Test func `an ad is delivered only while it is active`() {
    var totals = DeliveryCounts()
    totals[.impressions] = 24_000
    let noon = Self.today * 86_400 + 12 * Self.hour
    let ad = AdDelivery(
      "7", history: Self.today..<Self.today, totals: totals, reach: 100,
      active: [noon..<noon + 30 * Self.hour])

    let days = ad.days(Self.today - 1...Self.today + 2, until: Self.later)

    #expect(days[0].counts[.impressions] == 0)
    #expect((1..<24_000).contains(days[1].counts[.impressions]))
    #expect(days[1].hours == 0xFFF000)
    #expect(days[2].hours == 0x03FFFF)
    #expect(days[3].counts[.impressions] == 0)
  }

  @Test(arguments: UInt64(0)..<40)
  func `the cells of every breakdown add up to the day`(seed: UInt64) {
    let ad = Self.ad(seed)
    let first = Self.today - 3
    let now = (Self.today + 5) * 86_400 + 7 * Self.hour
    for cells in DeliveryCells.all {
      let split = DeliverySplit(ad, among: cells)
      for (index, day) in ad.days(first...Self.today + 5, until: now).enumerated() {
        let counts = split.cells(of: day, number: first + index)
        #expect(Self.sum(counts) == day.counts)
        for cell in counts {
          for (part, whole) in Self.parts { #expect(cell[part] <= cell[whole]) }
          if cell[.impressions] == 0 { #expect(cell == DeliveryCounts()) }
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `people are fewer than views, and grow more slowly`(seed: UInt64) {
    let ad = Self.ad(seed)
    let all = ad.totals[.impressions]
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let (some, others) = (
        Int.random(in: 0...all, using: &generator), Int.random(in: 0...all, using: &generator)
      )
      #expect(ad.people(some) <= some)
      #expect(ad.people(some + others) >= ad.people(some))
      #expect(ad.people(some + others) <= ad.people(some) + ad.people(others) + 1)
    }
    #expect(ad.people(0) == 0)
  }

  @Test func `the people behind all views are the reach`() {
    var totals = DeliveryCounts()
    totals[.impressions] = 12_000
    let ad = AdDelivery("7", history: 1..<31, totals: totals, reach: 5_100, active: [])

    #expect(ad.people(12_000) == 5_100)
    #expect(ad.people(1) == 1)
    #expect(
      AdDelivery("7", history: 1..<31, totals: totals, reach: 12_000, active: []).people(9) == 9)
  }

  @Test(arguments: UInt64(0)..<100)
  func `a deal adds up, and no share is negative or larger than it may be`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let weights = (0..<20).map { _ in Int.random(in: 0...1_000_000_000_000, using: &generator) }
    let whole = weights.reduce(0, +)
    let total = Int.random(in: 0...whole, using: &generator)
    var deal = Deal(total, over: whole, phase: Int.random(in: 0..<whole, using: &generator))

    let shares = weights.map { deal.next($0) }

    #expect(shares.reduce(0, +) == total)
    #expect(zip(shares, weights).allSatisfy { $0 >= 0 && $0 <= $1 })
  }
}
