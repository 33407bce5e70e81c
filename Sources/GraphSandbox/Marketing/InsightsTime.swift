import JSONPath

/// The days of insights, and into which spans of time they are divided.
///
/// Source: Marketing API, Ad Account Insights: `time_ranges` is used before `time_range`, and that
/// before `date_preset`; without all of them the last 30 days are reported.
struct InsightsTime: Sendable {
  private enum Increment {
    case none, months
    case days(Int)
  }

  private let ranges: [ClosedRange<Int>]
  private let preset: DatePreset?
  private var increment: Increment
  private let today: Int

  init(_ parameters: Parameters, today: Int) throws(GraphFault) {
    self.today = today
    if let text = parameters["time_ranges"] {
      guard let list = JSON(relaxed: text)?.array, !list.isEmpty else {
        throw .listRequired("time_ranges")
      }
      var ranges: [ClosedRange<Int>] = []
      for (index, range) in list.enumerated() {
        ranges.append(try Self.range(range, "time_ranges[\(index)]", today: today))
      }
      (self.ranges, preset, increment) = (ranges, nil, .none)
      return
    }
    increment = try Self.increment(parameters["time_increment"])
    if let range = try Self.range(parameters, today: today) {
      (ranges, preset) = ([range], nil)
      return
    }
    let name = parameters["date_preset"] ?? DatePreset.last30Days.rawValue
    guard let preset = DatePreset(rawValue: name) else {
      throw .notOneOf("date_preset", DatePreset.allCases.map(\.rawValue))
    }
    (ranges, self.preset) = ([], preset)
  }

  /// The same days as one span.
  var undivided: InsightsTime {
    var undivided = self
    undivided.increment = .none
    return undivided
  }

  /// The spans of the rows, in order; `data` is when anything was delivered.
  func spans(data: ClosedRange<Int>?) -> [ClosedRange<Int>] {
    let days = preset.map { [$0.days(today: today, data: data)] } ?? ranges
    guard days.count == 1, let whole = days.first else { return days }
    var spans: [ClosedRange<Int>] = []
    var start = whole.lowerBound
    // Nothing was delivered on later days.
    while start <= min(whole.upperBound, today) {
      let end =
        switch increment {
        case .none: whole.upperBound
        case .months: DatePreset.firstDay(-1, before: start) - 1
        case .days(let count): start + count - 1
        }
      spans.append(start...min(end, whole.upperBound))
      start = end + 1
    }
    return spans
  }

  private static func increment(_ text: String?) throws(GraphFault) -> Increment {
    switch text {
    case nil, "", "all_days": return .none
    case "monthly": return .months
    case let text?:
      guard let count = Int(text), (1...90).contains(count) else {
        throw .parameterMalformed(
          "time_increment", "an integer between 1 and 90, monthly or all_days")
      }
      return .days(count)
    }
  }

  /// The range of `time_range`, as JSON or as PHP writes a map; nil without it.
  private static func range(
    _ parameters: Parameters, today: Int
  ) throws(GraphFault) -> ClosedRange<Int>? {
    let name = "time_range"
    guard let text = parameters[name] else {
      let parts = ["since", "until"].map { ($0, parameters["\(name)[\($0)]"]) }
      guard parts.contains(where: { $0.1 != nil }) else { return nil }
      let members = parts.compactMap { part in part.1.map { (part.0, JSON.string($0)) } }
      return try range(.object(JSON.Object(members)), name, today: today)
    }
    let value = JSON(relaxed: text)
    guard let value, value.object?.isEmpty == false else {
      throw GraphFault.numbered(100, "param \(name) must be non-empty.")
    }
    return try range(value, name, today: today)
  }

  private static func range(
    _ value: JSON, _ name: String, today: Int
  ) throws(GraphFault) -> ClosedRange<Int> {
    let since = try day(value["since"], "\(name)[since]")
    let until = try day(value["until"], "\(name)[until]")
    guard since <= until else { throw .timeRangeReversed }
    guard since >= DatePreset.earliest(today) else { throw .timeRangeTooEarly }
    return since...until
  }

  private static func day(_ value: JSON?, _ name: String) throws(GraphFault) -> Int {
    guard let text = value?.string else { throw .parameterRequired(name) }
    guard text.utf8.count == 10, Int(text) == nil, let seconds = GraphTime.seconds(text) else {
      throw .parameterMalformed(name, "a date in the format YYYY-MM-DD")
    }
    return seconds / 86_400
  }
}
