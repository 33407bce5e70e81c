/// The way to a server: through a proxy or not, and the certificates that are trusted.
package struct HTTPRoute: Sendable {
  /// The proxy that `https` requests go through; nil for none.
  package var proxy: HTTPProxy?

  /// The hosts that are reached without the proxy.
  package var exemptions: ProxyExemptions

  /// The certificates that are trusted; nil for those of the system.
  package var trust: TrustedCertificates?

  /// Makes a route; by default without a proxy, and with the certificates of the system.
  package init(
    proxy: HTTPProxy? = nil,
    exemptions: ProxyExemptions = ProxyExemptions(""),
    trust: TrustedCertificates? = nil
  ) {
    self.proxy = proxy
    self.exemptions = exemptions
    self.trust = trust
  }

  /// The proxy that a request goes through; nil for none.
  ///
  /// A plain `http` request never goes through a proxy: it would show the proxy the token. An `https`
  /// request shows it the name and port of the server, in `CONNECT`, and nothing else.
  func proxy(forSecure isSecure: Bool, host: String, port: Int) -> HTTPProxy? {
    guard isSecure, !exemptions.contains(host: host, port: port) else { return nil }
    return proxy
  }
}
