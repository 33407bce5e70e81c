/// The names in the IANA time zone database, independent of the machine.
///
/// Source: https://www.iana.org/time-zones, file `tzdata.zi`.
enum TimeZoneName {
  static let defaultName = "UTC"

  /// The file holds the names of one part, then each first part with a slash and what follows it.
  static let all: Set<String> = {
    var names: Set<String> = []
    var area: Substring = ""
    let text = String(decoding: PackageResources.time_zones_txt, as: UTF8.self)
    for word in text.drop(while: { $0 != "\n" }).split(whereSeparator: \.isWhitespace) {
      if word.last == "/" { area = word } else { names.insert("\(area)\(word)") }
    }
    return names
  }()

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

  static func nearest(to name: String) -> String? {
    if let place = place(for: name) { return place }
    let written = name.lowercased().replacing(" ", with: "_")
    let sorted = all.sorted()
    // Different letter case, or a city without its continent.
    if let same = sorted.first(where: { $0.lowercased() == written }) { return same }
    if let city = sorted.first(where: { $0.lowercased().hasSuffix("/" + written) }) { return city }
    return NearestName.to(name, among: sorted)
  }
}
