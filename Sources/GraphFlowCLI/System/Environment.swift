import GraphFlow

/// The environment of the process.
enum Environment {
  /// The entries `NAME=VALUE`, in order.
  private static var entries: [UnsafeMutablePointer<CChar>] {
    var entries: [UnsafeMutablePointer<CChar>] = []
    while let entry = environ[entries.count] { entries.append(entry) }
    return entries
  }

  /// All variables; the first counts if a name occurs twice, as with `getenv`.
  static func variables() -> [String: String] {
    let variables = entries.compactMap { entry -> (String, String)? in
      let line = String(cString: entry)
      guard let equals = line.firstIndex(of: "=") else { return nil }
      return (String(line[..<equals]), String(line[line.index(after: equals)...]))
    }
    return Dictionary(variables) { first, _ in first }
  }

  /// One variable; nil if it is unset or empty.
  static func value(_ name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }

  /// The environment for child processes, without the variables of this tool.
  ///
  /// Those may hold tokens and secrets, which a program that prints another token must not get.
  static var forChildren: [UnsafeMutablePointer<CChar>?] {
    entries.filter { strncmp($0, "GRAPHFLOW_", 10) != 0 } + [nil]
  }

  /// A path with a leading `~/` replaced by the home directory.
  static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = value("HOME") else { return path }
    return home + path.dropFirst(1)
  }
}

/// The clock for ids and for people; delays use a monotonic clock.
enum WallClock {
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000)
  }

  /// Whole seconds since 1970, as the sandbox's world counts.
  static func seconds() -> Int { Int(now().milliseconds / 1000) }
}
