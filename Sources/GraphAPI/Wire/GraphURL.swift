/// The base URL of a Graph server: `https://host[:port]`, or plain `http` on the loopback interface.
///
/// It has no path, query, fragment or user information, so it cannot contain secrets.
public struct GraphURL: Hashable, Sendable, CustomStringConvertible {
  /// The URL without a trailing slash.
  public let description: String

  /// Meta's server: `https://graph.facebook.com`.
  public static let standard = GraphURL(trusted: "https://graph.facebook.com")

  /// Parses a base URL, with or without a trailing slash; nil if the text has another form.
  ///
  /// Plain `http` is accepted only for `localhost`, `127.…` and `[::1]`, because it exposes the token.
  public init?(_ text: String) {
    let lowered = text.lowercased()
    let isSecure = lowered.hasPrefix("https://")
    guard isSecure || lowered.hasPrefix("http://") else { return nil }
    var rest = lowered.dropFirst(isSecure ? 8 : 7)
    if rest.last == "/" { rest = rest.dropLast() }
    guard let (host, port) = Self.authority(rest) else { return nil }
    guard isSecure || Self.isLoopback(host) else { return nil }
    description = (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "")
  }

  private init(trusted: String) { description = trusted }

  /// The host, without its port.
  package var host: String {
    let authority = description.dropFirst(description.hasPrefix("https://") ? 8 : 7)
    return Self.authority(authority)?.host ?? ""
  }

  /// Parses `HOST[:PORT]` in lower case; nil if the text has another form.
  static func authority(_ text: Substring) -> (host: String, port: Int?)? {
    let host: Substring
    let rest: Substring
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[...end]
      rest = text[text.index(after: end)...]
      guard host.utf8.count > 3, host.dropFirst().dropLast().utf8.allSatisfy(isAddressByte) else {
        return nil
      }
    } else {
      let end = text.firstIndex(of: ":") ?? text.endIndex
      host = text[..<end]
      rest = text[end...]
      guard isName(host) else { return nil }
    }
    guard !rest.isEmpty else { return (String(host), nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy(\.isDigit), let port = Int(digits),
      (1...65_535).contains(port)
    else { return nil }
    return (String(host), port)
  }

  private static func isName(_ host: Substring) -> Bool {
    guard (1...253).contains(host.utf8.count) else { return false }
    return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    (97...102).contains(byte) || (48...58).contains(byte) || byte == 46
  }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
