/// The names in the IANA time zone database that people write, and those that they mean.
enum TimeZoneName {
  static let defaultName = "UTC"

  /// Names that the database keeps for compatibility: abbreviations rather than places.
  ///
  /// `EST` never changes to summer time, and the rules of `CET` differ between database releases.
  static let abbreviations: Set<String> = [
    "CET", "CST6CDT", "EET", "EST", "EST5EDT", "HST", "MET", "MST", "MST7MDT", "PST8PDT", "WET",
  ]

  private static let places: [String: String] = [
    "AEDT": "Australia/Sydney", "AEST": "Australia/Sydney", "BST": "Europe/London",
    "CDT": "America/Chicago", "CEST": "Europe/Berlin", "CET": "Europe/Berlin",
    "CST": "America/Chicago", "CST6CDT": "America/Chicago", "EDT": "America/New_York",
    "EEST": "Europe/Athens", "EET": "Europe/Athens", "EST": "America/New_York",
    "EST5EDT": "America/New_York", "HST": "Pacific/Honolulu", "IST": "Asia/Kolkata",
    "JST": "Asia/Tokyo", "KST": "Asia/Seoul", "MDT": "America/Denver", "MESZ": "Europe/Berlin",
    "MET": "Europe/Berlin", "MEZ": "Europe/Berlin", "MSK": "Europe/Moscow",
    "MST": "America/Denver", "MST7MDT": "America/Denver", "NZST": "Pacific/Auckland",
    "PDT": "America/Los_Angeles", "PST": "America/Los_Angeles",
    "PST8PDT": "America/Los_Angeles", "SGT": "Asia/Singapore", "WEST": "Europe/Lisbon",
    "WET": "Europe/Lisbon",
  ]

  static func place(for abbreviation: String) -> String? { places[abbreviation.uppercased()] }

  /// What is wrong with a name of a time zone: it does not exist, or is an abbreviation.
  static func fault(of name: String) -> RuleFault? {
    let place = place(for: name)
    guard ZoneClock.isKnown(name) else {
      let nearest = nearest(to: name)
      var fault = RuleFault(
        .timeZone, "no time zone is named '\(name.short)'",
        hint: nearest.map { "did you mean '\($0)'?" }
          ?? "write UTC, or a place such as Europe/Berlin")
      // The meaning of an abbreviation is only a guess.
      fault.fix = place == nil ? nearest : nil
      return fault
    }
    guard let place, abbreviations.contains(name) else { return nil }
    var fault = RuleFault(
      .timeZone, "'\(name)' is an abbreviation, and may not match the clocks of any place",
      hint: "write \(place)")
    fault.severity = .warning
    return fault
  }

  static func nearest(to name: String) -> String? {
    if let place = place(for: name) { return place }
    let written = name.lowercased().replacing(" ", with: "_")
    let sorted = ZoneClock.names.sorted()
    // Different letter case, or a city without its continent.
    if let same = sorted.first(where: { $0.lowercased() == written }) { return same }
    if let city = sorted.first(where: { $0.lowercased().hasSuffix("/" + written) }) { return city }
    return NearestName.to(name, among: sorted)
  }
}
