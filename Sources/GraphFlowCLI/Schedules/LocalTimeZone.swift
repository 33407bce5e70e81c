/// The time zone of this machine, which cron uses.
enum LocalTimeZone {
  /// Its name in the IANA database; UTC if it is unknown.
  static var name: String {
    if let variable = Environment.value("TZ") { return String(variable.drop { $0 == ":" }) }
    guard let path = FileReading.realPath("/etc/localtime"),
      let found = path.firstRange(of: "/zoneinfo/")
    else { return "UTC" }
    return String(path[found.upperBound...])
  }

  /// Whether two names mean the same zone; UTC has many names.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left == right || (namesOfUTC.contains(left) && namesOfUTC.contains(right))
  }

  private static let namesOfUTC: Set<String> = [
    "UTC", "Etc/UTC", "UCT", "Etc/UCT", "Universal", "Etc/Universal", "Zulu", "Etc/Zulu", "GMT",
    "Etc/GMT", "Greenwich", "Etc/Greenwich",
  ]
}
