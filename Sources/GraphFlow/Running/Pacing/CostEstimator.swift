/// Estimates what one operation costs of a limit, from the percents that Graph reports.
struct CostEstimator: Sendable {
  /// The highest cost that is assumed while few operations were sent, in percent.
  ///
  /// Other clients may have used what is used. A write costs 3 of the 60 points of Graph's smallest
  /// limit (docs/internals/graph-api.md, Rate limits).
  private static let maxAssumedCost = 5.0

  /// Where the measurement of a rise starts.
  private struct Anchor: Sendable {
    var usage: Double
    var answers: Int
    var at: Timestamp
  }

  /// How many operations Graph answered, and so counted for certain.
  private(set) var answers = 0
  /// The same, by the minute.
  private var answered = OperationHistory()
  /// How many operations were answered when the last percent was read.
  private var answersAtReading = 0
  private var anchor: Anchor?
  /// Whether the cost was measured over a rise, and is not only an upper bound.
  private var isMeasured = false
  /// The cost of an operation since the percent before the last one; 0 unless usage rose steeply.
  private(set) var steepCost = 0.0
  /// How many operations are included in the percents that were read.
  ///
  /// As many again are expected to cost no more.
  private(set) var includedOperations = 0

  mutating func recordAnswers(_ count: Int, at now: Timestamp) {
    answers += count
    answered.add(count, at: now)
  }

  /// Discards a steep rise, because others have caused some of it.
  mutating func forgetSteepCost() { steepCost = 0 }

  /// Updates the estimate by a percent that Graph reported; the record is that before it.
  ///
  /// - Returns: an upper bound of an operation's cost, in percent; nil if none is known.
  mutating func cost(at usage: Double, after record: QuotaRecord, at now: Timestamp) -> Double? {
    let cost = measuredCost(at: usage, after: record, at: now)
    let step = usage - (record.usage ?? usage)
    let new = answers - answersAtReading
    steepCost = step >= 5 && new > 0 ? step / Double(new) : 0
    if record.usage != nil { includedOperations += new }
    answersAtReading = answers
    let own = answered.count(at: now)
    guard own > 0 else { return cost }
    // All counted operations together cannot have cost more than the total usage.
    let bound = min((usage + 1) / Double(own), Self.maxAssumedCost)
    return min(cost ?? bound, bound)
  }

  /// The cost by the rise of usage since the anchor.
  ///
  /// Percents are rounded, so usage rose by less than one percent more than was read.
  private mutating func measuredCost(
    at usage: Double, after record: QuotaRecord, at now: Timestamp
  ) -> Double? {
    let current = Anchor(usage: usage, answers: answers, at: now)
    guard let start = anchor else {
      anchor = current
      return record.cost
    }
    let (rise, count) = (usage - start.usage, answers - start.answers)
    if rise < 0 || record.history.left(after: start.at, by: now) > 0 {
      anchor = current
      return record.cost
    }
    guard count > 0 else { return record.cost }
    let estimate = (rise + 1) / Double(count)
    if rise >= 10 {
      isMeasured = true
      anchor = current
      return record.cost.map { max(estimate, ($0 + estimate) / 2) } ?? estimate
    }
    return isMeasured ? record.cost : min(record.cost ?? estimate, estimate)
  }
}
