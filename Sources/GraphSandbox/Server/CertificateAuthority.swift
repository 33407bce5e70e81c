internal import Crypto
internal import NIOSSL

/// An authority whose certificates only clients of a sandbox trust: it can vouch for the hosts of
/// Meta's APIs and for `localhost`, and for nothing else.
package struct CertificateAuthority: Sendable {
  /// The certificate in PEM, for clients.
  package let certificate: String
  private let privateKey: P256.Signing.PrivateKey
  /// When the certificate ends, in seconds since 1970.
  private let end: Int

  private static let name = "GraphFlow sandbox"
  /// The domains, with all names below them.
  private static let domains = ["facebook.com", "instagram.com", "threads.net", "localhost"]
  /// The names in a server's certificate.
  private static let hosts = [
    "graph.facebook.com", "graph-video.facebook.com", "rupload.facebook.com", "www.facebook.com",
    "graph.instagram.com", "graph.threads.net", "localhost",
  ]

  /// Makes an authority that is valid for a year.
  ///
  /// - Parameter now: The machine's time in seconds since 1970.
  /// - Throws: What the cryptographic library throws.
  package init(at now: Int) throws {
    privateKey = P256.Signing.PrivateKey()
    let form = CertificateForm(
      subject: Self.name, issuer: Self.name, key: privateKey.publicKey,
      issuerKey: privateKey.publicKey, start: now,
      use: .authority(domains: Self.domains))
    certificate = try form.pem(signedWith: privateKey)
    end = form.end
  }

  /// Reads an authority: its certificate and its private key, in PEM.
  ///
  /// - Throws: if they are malformed, or do not belong together.
  package init(certificate: String, key: String) throws {
    self.certificate = certificate
    privateKey = try P256.Signing.PrivateKey(pemRepresentation: key)
    let read = try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)
    let spki = try read.extractPublicKey().toSPKIBytes()
    guard spki == Array(privateKey.publicKey.derRepresentation) else {
      throw SandboxFailure("the certificate has another key")
    }
    end = Int(read.notValidAfter)
  }

  /// The private key in PEM.
  package var key: String { privateKey.pemRepresentation + "\n" }

  /// Whether its certificate is valid for at least another month.
  package func isValid(at now: Int) -> Bool { end > now + 30 * 86_400 }

  /// The certificate and the key of a server, both new.
  func server(at now: Int) throws -> NIOSSLContext {
    let own = P256.Signing.PrivateKey()
    let form = CertificateForm(
      subject: "\(Self.name) server", issuer: Self.name, key: own.publicKey,
      issuerKey: privateKey.publicKey, start: now,
      use: .server(hosts: Self.hosts))
    let pem = try form.pem(signedWith: privateKey)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem))],
      privateKey: .privateKey(
        try NIOSSLPrivateKey(bytes: Array(own.pemRepresentation.utf8), format: .pem)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }
}
