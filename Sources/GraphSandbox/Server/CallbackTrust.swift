import NIOConcurrencyHelpers
import NIOCore
internal import NIOSSL

/// Whose certificates the servers of callbacks may have: the machine's authorities, or others in their
/// place, and the sandbox's own.
///
/// A class, because the machine's are read once, and only if there is such a callback.
final class CallbackTrust: Sendable {
  /// Certificates in PEM, in place of the machine's.
  private let given: [UInt8]?
  private let own: String?
  private let context = NIOLockedValueBox<NIOSSLContext?>(nil)

  init(_ given: [UInt8]?, _ authority: CertificateAuthority?) {
    self.given = given
    own = authority?.certificate
  }

  /// The side of TLS that speaks to a host.
  func handler(for host: String) throws -> NIOSSLClientHandler {
    let context = try context.withLockedValue { context in
      if let context { return context }
      let made = try NIOSSLContext(configuration: configuration())
      context = made
      return made
    }
    // An address is compared with those in the certificate, and must not be asked for by name.
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
  }

  private func configuration() throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    if let given {
      configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(given))
    }
    if let own {
      configuration.additionalTrustRoots = [
        .certificates([try NIOSSLCertificate(bytes: Array(own.utf8), format: .pem)])
      ]
    }
    return configuration
  }
}
