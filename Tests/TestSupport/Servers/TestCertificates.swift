internal import NIOSSL

/// A certificate for `localhost` and `127.0.0.1`, from an untrusted authority.
///
/// The files are valid until 2124. They were made with OpenSSL; the authority's key was deleted.
public enum TestCertificates {
  /// The PEM file of the authority.
  public static let authority = folder + "/authority.pem"

  private static let folder =
    SharedFiles.packageRoot(of: #filePath) + "/Tests/TestSupport/Certificates"

  /// The files for a server.
  static func serverConfiguration() throws -> TLSConfiguration {
    .makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(folder + "/server.pem")
        .map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: folder + "/server-key.pem", format: .pem)))
  }
}
