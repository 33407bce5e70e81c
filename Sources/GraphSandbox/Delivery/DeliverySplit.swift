/// Divides the days of one ad among cells.
struct DeliverySplit: Sendable {
  private let ad: AdDelivery
  private let weights: [Int]
  private let sum: Int
  private let clickFactors: [Int]
  private let costFactors: [Int]
  private let isByHour: Bool

  init(_ ad: AdDelivery, among cells: DeliveryCells) {
    self.ad = ad
    isByHour = cells.values[.advertiserHour] != nil
    // Every ad has other cells that like it; the hours are the same for all.
    weights =
      isByHour
      ? cells.weights
      : cells.weights.enumerated().map { $1 * (7 + ad.dice.roll(-100 - $0, below: 7)) }
    sum = weights.reduce(0, +)
    clickFactors = weights.indices.map { ad.clickFactor(of: -100 - $0) }
    costFactors = weights.indices.map { ad.costFactor(of: -100 - $0) }
  }

  /// The counts of each cell, in order; the cells add up to the day.
  func cells(of day: AdDelivery.Day, number: Int) -> [DeliveryCounts] {
    var cells = impressions(of: day, number: number).map { count in
      var counts = DeliveryCounts()
      counts[.impressions] = count
      return counts
    }
    deal(.clicks, of: day, by: clickFactors, to: &cells)
    deal(.cents, of: day, by: costFactors, to: &cells)
    for step in ad.steps {
      let source = day.counts[step.source]
      guard source > 0 else { continue }
      let phase = ad.dice.roll(number &* 16 &+ step.count.rawValue, below: source)
      var deal = Deal(day.counts[step.count], over: source, phase: phase)
      for index in cells.indices {
        cells[index][step.count] = deal.next(cells[index][step.source])
      }
    }
    return cells
  }

  /// The impressions of each cell; of a part of a day by hours, those of its hours.
  func impressions(of day: AdDelivery.Day, number: Int) -> [Int] {
    let isPart = isByHour && day.hours != AdDelivery.Day.allHours
    let total = isPart ? day.planned : day.counts[.impressions]
    var deal = Deal(total, over: sum, phase: ad.dice.roll(number, below: 100))
    return weights.enumerated().map { index, weight in
      let count = deal.next(weight)
      return isPart && day.hours & 1 << index == 0 ? 0 : count
    }
  }

  /// Deals a count out by the impressions of each cell and a factor.
  private func deal(
    _ count: DeliveryCount, of day: AdDelivery.Day, by factors: [Int],
    to cells: inout [DeliveryCounts]
  ) {
    let weights = zip(cells, factors).map { $0[.impressions] &* $1 }
    var deal = Deal(day.counts[count], over: weights.reduce(0, &+))
    for index in cells.indices { cells[index][count] = deal.next(weights[index]) }
  }
}
