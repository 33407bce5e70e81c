/// The time zone of this machine, in which cron reads its lines.
enum LocalTimeZone {
  /// Its name in the IANA database, as far as it can be found out.
  static var name: String {
    if let variable = Environment.value("TZ") {
      return String(variable.drop { $0 == ":" })
    }
    guard let path = FileReading.realPath("/etc/localtime"),
      let found = path.firstRange(of: "/zoneinfo/")
    else { return "UTC" }
    return String(path[found.upperBound...])
  }

  /// Whether two names mean the same zone; those of UTC are many.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left == right || (names.contains(left) && names.contains(right))
  }

  private static let names: Set<String> = [
    "UTC", "Etc/UTC", "UCT", "Etc/UCT", "Universal", "Etc/Universal", "Zulu", "Etc/Zulu", "GMT",
    "Etc/GMT", "Greenwich", "Etc/Greenwich",
  ]
}
