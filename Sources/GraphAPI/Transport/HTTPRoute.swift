/// The route to a server: an optional proxy, and the trusted certificates.
package struct HTTPRoute: Sendable {
  /// The proxy of `https` requests; nil for none.
  package var proxy: HTTPProxy?
  /// The hosts that do not use the proxy.
  package var exemptions: ProxyExemptions
  /// The trusted certificates; nil for those of the system.
  package var trust: TrustedCertificates?

  /// Makes a route; by default without a proxy and with the system's certificates.
  package init(
    proxy: HTTPProxy? = nil, exemptions: ProxyExemptions = ProxyExemptions(""),
    trust: TrustedCertificates? = nil
  ) {
    self.proxy = proxy
    self.exemptions = exemptions
    self.trust = trust
  }

  /// The proxy of a request; nil for none.
  ///
  /// A plain `http` request never uses a proxy, because the proxy could read the token. With an
  /// `https` request the proxy sees only the name and port of the server, in `CONNECT`.
  func proxy(forSecure isSecure: Bool, host: String, port: Int) -> HTTPProxy? {
    guard isSecure, !exemptions.contains(host: host, port: port) else { return nil }
    return proxy
  }
}
