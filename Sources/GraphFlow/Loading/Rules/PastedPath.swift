/// A path as people paste it: with a host, a version, or a leading slash.
struct PastedPath {
  let path: String
  let version: String?

  /// Removes everything that is not part of a path; the rest may be empty.
  init(_ text: String) {
    var rest = text.drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    for verb in ["get ", "post ", "delete "] where rest.lowercased().hasPrefix(verb) {
      rest = rest.dropFirst(verb.count).drop { $0 == " " }
    }
    if let scheme = rest.firstRange(of: "://") {
      rest = rest[scheme.upperBound...].drop { $0 != "/" }
    } else if rest.hasPrefix("//"), rest.dropFirst(2).prefix(while: { $0 != "/" }).contains(".") {
      rest = rest.dropFirst(2).drop { $0 != "/" }
    } else if Self.isHost(rest.prefix { $0 != "/" }) {
      rest = rest.drop { $0 != "/" }
    }
    rest = rest.drop { $0 == "/" }
    let first = rest.prefix { $0 != "/" && $0 != "?" }
    var version: String?
    if PathRules.isVersion(first) {
      version = "v" + first.dropFirst() + (first.contains(".") ? "" : ".0")
      rest = rest.dropFirst(first.count).drop { $0 == "/" }
    }
    self.version = version
    path = Self.withoutToken(rest)
  }

  static func isHost(_ text: Substring) -> Bool {
    ["graph.facebook.com", "graph.instagram.com", "www.facebook.com", "facebook.com"]
      .contains(text.lowercased())
  }

  /// The path without a token, which a pasted URL often contains and which must not be printed.
  private static func withoutToken(_ text: Substring) -> String {
    guard let mark = text.firstIndex(of: "?") else { return String(text) }
    let pairs = text[text.index(after: mark)...].split(separator: "&").filter { pair in
      ReservedParameter.fault(of: String(pair.prefix { $0 != "=" })) == nil
    }
    let path = String(text[..<mark])
    return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
  }
}
