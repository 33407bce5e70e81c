/// A proxy that opens tunnels with `CONNECT` (RFC 9110, section 9.3.6).
///
/// No textual form of it shows the user or the password.
package struct HTTPProxy: Hashable, Sendable {
  /// The host name or address; an IPv6 address has no brackets.
  package let host: String
  /// The port; 80 by default.
  package let port: Int
  /// The credentials for `Proxy-Authorization`; nil for none.
  let credentials: Credentials?

  struct Credentials: Hashable, Sendable {
    let user: String
    let password: String
  }

  /// Parses `[http://][USER[:PASSWORD]@]HOST[:PORT][/]`; nil if the text has another form.
  ///
  /// User and password are percent-decoded. TLS to the proxy itself (`https://`) and other kinds of
  /// proxies (`socks5://`) are not supported.
  package init?(_ text: String) {
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") {
      guard rest[..<scheme.lowerBound].lowercased() == "http" else { return nil }
      rest = rest[scheme.upperBound...]
    }
    if rest.last == "/" { rest = rest.dropLast() }
    var credentials: Credentials?
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map { PercentEncoding.decoded(String($0)) }
      credentials = Credentials(user: decoded[0], password: decoded.count > 1 ? decoded[1] : "")
      rest = rest[rest.index(after: at)...]
    }
    guard let (host, port) = GraphURL.authority(rest.lowercased()[...]) else { return nil }
    self.host = host.first == "[" ? String(host.dropFirst().dropLast()) : host
    self.port = port ?? 80
    self.credentials = credentials
  }

  /// The texts to mask in output: the password, and the user with the password.
  package var secrets: [AccessToken] {
    guard let credentials, !credentials.password.isEmpty else { return [] }
    return [credentials.password, "\(credentials.user):\(credentials.password)"]
      .compactMap { AccessToken($0) }
  }
}

extension HTTPProxy: Confidential {
  package var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
