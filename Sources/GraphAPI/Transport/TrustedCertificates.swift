internal import NIOSSL

/// The root certificates to trust instead of the system's.
package struct TrustedCertificates: Sendable {
  let certificates: [NIOSSLCertificate]

  /// Parses the certificates of a PEM file; nil if there are none, or if one is invalid.
  package init?(pem bytes: [UInt8]) {
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty
    else { return nil }
    self.certificates = certificates
  }
}
