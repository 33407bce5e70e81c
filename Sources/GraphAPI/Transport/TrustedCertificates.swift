internal import NIOSSL

/// The certificates that a server's certificate may be signed by, instead of those of the system.
package struct TrustedCertificates: Sendable {
  let certificates: [NIOSSLCertificate]

  /// Reads the certificates of a PEM file; nil if it holds none, or one that cannot be read.
  package init?(pem bytes: [UInt8]) {
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty
    else { return nil }
    self.certificates = certificates
  }
}
