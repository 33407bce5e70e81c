/// The route to a server: an optional proxy, and the trusted certificates.
package struct HTTPRoute: Sendable {
  /// The proxy of `https` requests; nil for none.
  package var proxy: HTTPProxy?
  package var exemptions = ProxyExemptions("")
  /// The trusted certificates; nil for those of the system.
  package var trust: TrustedCertificates?

  /// A route without a proxy and with the system's certificates.
  package init() {}

  /// The proxy of a request; nil for none.
  ///
  /// A plain `http` request never uses a proxy, because the proxy could read the token. With an
  /// `https` request the proxy sees only the name and port of the server, in `CONNECT`.
  func proxy(forSecure isSecure: Bool, host: String, port: Int) -> HTTPProxy? {
    guard isSecure, !exemptions.contains(host: host, port: port) else { return nil }
    return proxy
  }

  /// The proxy of requests to a Graph server; nil for none.
  package func proxy(to url: GraphURL) -> HTTPProxy? {
    let parts = url.description.split(separator: "://")
    guard parts.count == 2, let (host, port) = GraphURL.authority(parts[1]) else { return nil }
    return proxy(forSecure: parts[0] == "https", host: host, port: port ?? 443)
  }
}
