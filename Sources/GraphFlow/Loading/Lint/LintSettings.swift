package import GraphAPI

/// What advice about names that Graph ends depends on, besides the file.
package struct LintSettings: Sendable {
  /// The present day, as `YYYY-MM-DD`.
  package let today: String
  /// The last day whose ends are reported ahead.
  let horizon: String
  /// The version of requests that name none.
  let version: GraphVersion
  /// The version that the file is compared with: what ends up to it is reported, too.
  let target: GraphVersion?

  /// How many days before its end a name is reported.
  private static let notice: Int64 = 90

  package init(
    daysSince1970 day: Int64, version: GraphVersion = .current, target: GraphVersion? = nil
  ) {
    (today, horizon) = (Self.text(day), Self.text(day + Self.notice))
    (self.version, self.target) = (version, target)
  }

  /// Without a clock: the day on which the newest known version was released.
  package static let standard: LintSettings = {
    let parts = (GraphVersion.known.first?.released ?? "").split(separator: "-").map(String.init)
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.count == 3 else { return LintSettings(daysSince1970: 0) }
    return LintSettings(
      daysSince1970: CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
        .daysSince1970)
  }()

  private static func text(_ day: Int64) -> String {
    let day = CalendarDay(daysSince1970: day)
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day.year)-\(padded(day.month))-\(padded(day.day))"
  }
}

extension RetiredName {
  /// The sentence about a request of a version that uses the name; nil while Graph still has it.
  func sentence(about what: String, in version: GraphVersion, _ settings: LintSettings) -> String? {
    if isUnheardOf { return "Graph has no \(what)" }
    let gone = "no longer has \(what)"
    if let day, day <= settings.today { return "Graph \(gone), since \(day)" }
    if let first = self.version, version >= first { return "Graph \(gone), since \(first)" }
    if day == nil, self.version == nil { return "Graph \(gone)" }
    if let day, day <= settings.horizon { return "Graph ends \(what) on \(day)" }
    guard let target = settings.target, let first = self.version, target >= first else {
      return nil
    }
    return "Graph \(target) \(gone), since \(first)"
  }
}
