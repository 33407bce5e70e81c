/// The hosts that are reached without a proxy, as `NO_PROXY` lists them.
///
/// There is no standard; this is what curl, Go and Python have in common. Entries are separated by
/// commas or blanks. `*` is every host. `example.com` and `.example.com` are this host and all below
/// it. An address is that address only. `HOST:PORT` is meant for this port only. Ranges of addresses
/// (`10.0.0.0/8`) are not understood, and match nothing.
package struct ProxyExemptions: Hashable, Sendable {
  private struct Entry: Hashable {
    let host: String
    let port: Int?
  }

  private let entries: [Entry]

  /// Reads a list; an empty one exempts nothing.
  package init(_ list: String) {
    entries = list.lowercased().split { $0 == "," || $0.isWhitespace }.map { Self.entry($0) }
  }

  private static func entry(_ text: Substring) -> Entry {
    let isBare = text.first != "[" && text.count { $0 == ":" } > 1
    guard !isBare, let colon = text.lastIndex(of: ":"), let port = Int(text[colon...].dropFirst())
    else { return Entry(host: Self.plain(text), port: nil) }
    return Entry(host: Self.plain(text[..<colon]), port: port)
  }

  /// A host without the brackets of an IPv6 address, and without a dot at its beginning or end.
  private static func plain(_ host: Substring) -> String {
    var host = host
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    if host.first == "." { host = host.dropFirst() }
    if host.last == "." { host = host.dropLast() }
    return String(host)
  }

  /// Whether a host is reached without a proxy.
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
