/// How one ad was delivered: computed from a few facts on demand, so that no rows are stored.
///
/// The days of its history share the totals of its description. After that it is delivered during
/// the hours in which it is active. Everything else is pseudorandom by the ad's id. Days are those of
/// the account's time zone, counted from 1970, and times are seconds on that zone's clocks.
struct AdDelivery: Sendable {
  /// One day of an ad.
  struct Day: Sendable {
    var counts = DeliveryCounts()
    /// The impressions of the whole day, had the ad been active all day.
    var planned = 0
    /// The hours in which it was delivered, one bit each.
    var hours: UInt32 = 0

    static let allHours: UInt32 = 1 << 24 - 1
  }

  let dice: Dice
  /// The days that share the totals.
  let history: Range<Int>
  /// Impressions, clicks and cents.
  let totals: DeliveryCounts
  /// How many different people saw those impressions.
  private let reach: Int
  /// When it is delivered after its history.
  let active: [Range<Int>]
  /// Computed when they are needed, because an ad that was not active needs none.
  var steps: [DeliveryStep] { DeliveryStep.all(dice) }

  /// How often the deals of active days begin again, so that a late day costs no more than an early
  /// one.
  private static let block = 64

  init(
    _ id: String, history: Range<Int>, totals: DeliveryCounts, reach: Int, active: [Range<Int>]
  ) {
    dice = Dice(id)
    self.history = history
    self.totals = totals
    self.active = active
    self.reach = min(reach, totals[.impressions])
  }

  /// How many different people are behind a number of views or clicks.
  ///
  /// It grows more and more slowly, as does the number of people who have seen an ad: the same for
  /// the totals as their reach, and never more than the views.
  func people(_ count: Int) -> Int {
    let all = totals[.impressions]
    guard count > 0, reach < all else { return count }
    // Products of three numbers have to fit.
    let shift = max(0, 34 - all.leadingZeroBitCount)
    let (wideAll, wideReach) = (Int128(all >> shift), Int128(max(1, reach >> shift)))
    let product = wideAll * wideReach
    let share = Int128(count) * product / (product + Int128(count) * (wideAll - wideReach))
    return max(1, Int(clamping: share))
  }

  /// The days of a span, as far as they have passed at a time.
  func days(_ span: ClosedRange<Int>, until now: Int) -> [Day] {
    let last = min(span.upperBound, now / 86_400)
    guard last >= span.lowerBound else { return [] }
    var days = [Day](repeating: Day(), count: last - span.lowerBound + 1)
    addHistory(to: &days, from: span.lowerBound)
    addActiveDays(to: &days, from: span.lowerBound, until: now)
    return days
  }

  private func addHistory(to days: inout [Day], from first: Int) {
    guard first < history.upperBound, first + days.count > history.lowerBound else { return }
    let weights = history.map(weight)
    var deal = Deal(totals[.impressions], over: weights.reduce(0, +))
    let impressions = weights.map { deal.next($0) }
    let varied = zip(history, impressions).map { day, count in
      (clicks: count &* clickFactor(of: day), cost: count &* costFactor(of: day))
    }
    var flow = Flow(
      self, clicks: varied.reduce(0) { $0 &+ $1.clicks }, cost: varied.reduce(0) { $0 &+ $1.cost })
    for (index, day) in history.enumerated() {
      let counts = flow.next(
        impressions[index], clicks: varied[index].clicks, cost: varied[index].cost)
      guard days.indices.contains(day - first) else { continue }
      days[day - first] = Day(counts: counts, planned: impressions[index], hours: Day.allHours)
    }
  }

  private func addActiveDays(to days: inout [Day], from first: Int, until now: Int) {
    guard let start = active.first?.lowerBound, start < now else { return }
    let total = totals[.impressions]
    let length = max(1, history.count)
    let begin = max(start / 86_400, first - first % Self.block)
    guard begin < first + days.count else { return }
    var flow = Flow(self, clicks: 8 &* total, cost: 8 &* total)
    for day in begin..<first + days.count {
      if day % Self.block == 0 { flow = Flow(self, clicks: 8 &* total, cost: 8 &* total) }
      let hours = hours(of: day, until: now)
      guard hours != 0 else { continue }
      let planned = Int(clamping: Int128(total) * Int128(weight(of: day)) / Int128(100 * length))
      let count = hours == Day.allHours ? planned : impressions(planned, in: hours, of: day)
      let counts = flow.next(
        count, clicks: count &* clickFactor(of: day), cost: count &* costFactor(of: day))
      guard day >= first else { continue }
      days[day - first].counts += counts
      days[day - first].planned &+= planned
      days[day - first].hours |= hours
    }
  }

  /// The hours of a day that have passed and in which the ad was active.
  private func hours(of day: Int, until now: Int) -> UInt32 {
    let start = day * 86_400
    let overlapping = active.filter { $0.lowerBound < start + 86_400 && $0.upperBound > start }
    guard !overlapping.isEmpty else { return 0 }
    if overlapping[0].lowerBound <= start, overlapping[0].upperBound >= start + 86_400,
      now >= start + 86_400
    {
      return Day.allHours
    }
    var hours: UInt32 = 0
    for hour in 0..<24 {
      let begin = start + hour * 3_600
      if begin + 3_600 <= now, overlapping.contains(where: { $0.contains(begin) }) {
        hours |= 1 << hour
      }
    }
    return hours
  }

  private func impressions(_ planned: Int, in hours: UInt32, of day: Int) -> Int {
    let part = Day(planned: planned, hours: hours)
    return DeliverySplit(self, among: .hours).impressions(of: part, number: day).reduce(0, +)
  }

  // MARK: - What differs from day to day

  /// How much is delivered on a day, in percent of the average.
  private func weight(of day: Int) -> Int {
    // 1970 began on a Thursday; less on weekends.
    let weekday = (day + 4) % 7
    return (weekday == 0 || weekday == 6 ? 60 : 85) + dice.roll(day &* 4, below: 46)
  }

  /// Six to ten, if clicks are rare enough for days with more of them.
  func clickFactor(of place: Int) -> Int {
    totals[.clicks] < totals[.impressions] / 2 ? 6 + dice.roll(place &* 4 &+ 1, below: 5) : 8
  }

  /// Six to ten.
  func costFactor(of place: Int) -> Int { 6 + dice.roll(place &* 4 &+ 2, below: 5) }

  /// The deals of an ad's clicks, cost and actions, day by day.
  private struct Flow {
    private var clicks: Deal
    private var cents: Deal
    private let steps: [DeliveryStep]
    private var deals: [Deal]

    init(_ ad: AdDelivery, clicks: Int, cost: Int) {
      self.clicks = Deal(ad.totals[.clicks], over: clicks)
      cents = Deal(ad.totals[.cents], over: cost)
      steps = ad.steps
      deals = ad.steps.map { Deal($0.permille, over: 1_000) }
    }

    mutating func next(_ impressions: Int, clicks: Int, cost: Int) -> DeliveryCounts {
      var counts = DeliveryCounts()
      counts[.impressions] = impressions
      counts[.clicks] = self.clicks.next(clicks)
      counts[.cents] = cents.next(cost)
      for index in steps.indices {
        counts[steps[index].count] = deals[index].next(counts[steps[index].source])
      }
      return counts
    }
  }
}
