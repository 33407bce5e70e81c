import GraphAPI

extension HTTPRoute {
  private static let certificateLimit = 16 << 20

  /// The route that the environment and the configuration name.
  ///
  /// `https_proxy` and `no_proxy` override `HTTPS_PROXY` and `NO_PROXY`, as with curl. `HTTP_PROXY`
  /// is not read: plain HTTP never goes through a proxy. Messages show neither user nor password.
  init(_ configuration: Configuration) throws {
    self.init()
    if let (name, text) = HTTPRoute.variable("https_proxy") {
      guard let proxy = HTTPProxy(text) else {
        throw CommandFailure(
          .misconfigured, "\(name) must be http://[USER:PASSWORD@]HOST[:PORT]",
          hint: "proxies that are reached by TLS or SOCKS are not supported")
      }
      for secret in proxy.secrets { ProcessRedactor.record(secret) }
      self.proxy = proxy
    }
    if let (_, list) = HTTPRoute.variable("no_proxy") { exemptions = ProxyExemptions(list) }
    trust = try HTTPRoute.trust(configuration)
  }

  private static func variable(_ name: String) -> (name: String, value: String)? {
    for name in [name, name.uppercased()] {
      if let value = Environment.value(name) { return (name, value) }
    }
    return nil
  }

  private static func trust(_ configuration: Configuration) throws -> TrustedCertificates? {
    let variable = "SSL_CERT_FILE"
    let source =
      Environment.value(variable).map { (variable, $0) }
      ?? configuration.certificateFile.map { ("ca_file", Environment.expanded($0)) }
    guard let (name, path) = source else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try FileReading.bytes(of: path, limit: certificateLimit)
    } catch let failure as CommandFailure {
      throw CommandFailure(.misconfigured, "\(name): \(failure.message)")
    }
    guard let trust = TrustedCertificates(pem: bytes) else {
      throw CommandFailure(
        .misconfigured, "\(name): '\(path)' holds no readable certificates",
        hint: "certificates must be in PEM format: -----BEGIN CERTIFICATE-----")
    }
    return trust
  }
}
