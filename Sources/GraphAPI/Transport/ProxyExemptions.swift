/// The hosts that do not use a proxy, in the format of `NO_PROXY`.
///
/// There is no standard; this is the common subset of curl, Go and Python. Entries are separated by
/// commas or blanks. `*` matches every host. `example.com` and `.example.com` match this host and its
/// subdomains. An IP address matches itself. `HOST:PORT` matches this port only. Address ranges
/// (`10.0.0.0/8`) are not supported, and match nothing.
package struct ProxyExemptions: Hashable, Sendable {
  private struct Entry: Hashable {
    let host: String
    let port: Int?
  }

  private let entries: [Entry]

  /// Parses a list; an empty list has no exemptions.
  package init(_ list: String) {
    entries = list.lowercased().split { $0 == "," || $0.isWhitespace }.map { Self.entry($0) }
  }

  private static func entry(_ text: Substring) -> Entry {
    let isBare = text.first != "[" && text.count { $0 == ":" } > 1
    guard !isBare, let colon = text.lastIndex(of: ":"), let port = Int(text[colon...].dropFirst())
    else { return Entry(host: Self.plain(text), port: nil) }
    return Entry(host: Self.plain(text[..<colon]), port: port)
  }

  /// A host without the brackets of an IPv6 address and without leading and trailing dots.
  private static func plain(_ host: Substring) -> String {
    var host = host
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    if host.first == "." { host = host.dropFirst() }
    if host.last == "." { host = host.dropLast() }
    return String(host)
  }

  func contains(host: String, port: Int) -> Bool {
    let host = Self.plain(host.lowercased()[...])
    let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 == 46 || $0.isDigit }
    return entries.contains { entry in
      guard entry.port == nil || entry.port == port, !entry.host.isEmpty else { return false }
      return entry.host == "*" || entry.host == host
        || (!isAddress && host.hasSuffix(".\(entry.host)"))
    }
  }
}
