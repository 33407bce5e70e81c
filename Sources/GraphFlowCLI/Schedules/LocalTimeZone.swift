/// The time zone of this machine, in which cron reads its lines.
enum LocalTimeZone {
  /// Its name in the IANA database, as far as it can be found out.
  static var name: String {
    if let variable = Environment.value("TZ") {
      return String(variable.drop { $0 == ":" })
    }
    if let resolved = realpath("/etc/localtime", nil) {
      defer { free(resolved) }
      let path = String(cString: resolved)
      if let found = path.firstRange(of: "/zoneinfo/") { return String(path[found.upperBound...]) }
    }
    return "UTC"
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
