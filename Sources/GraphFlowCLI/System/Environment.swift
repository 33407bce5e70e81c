/// The environment of the process.
enum Environment {
  /// All variables; the first counts if a name occurs twice, as with `getenv`.
  static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let line = String(cString: text)
      if let equals = line.firstIndex(of: "=") {
        let name = String(line[..<equals])
        if variables[name] == nil { variables[name] = String(line[line.index(after: equals)...]) }
      }
      entry += 1
    }
    return variables
  }

  /// One variable; nil if it is unset or empty.
  static func value(_ name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }

  /// A path with a leading `~/` replaced by the home directory.
  static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = value("HOME") else { return path }
    return home + path.dropFirst(1)
  }
}

extension Environment {
  /// The environment for child processes, without the variables of this tool.
  ///
  /// Those may hold tokens and secrets, which a program that prints another token must not get.
  static func forChildren() -> [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let text = entry.pointee {
      if strncmp(text, "GRAPHFLOW_", 10) != 0 { entries.append(text) }
      entry += 1
    }
    return entries + [nil]
  }
}
