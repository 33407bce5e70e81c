import ArgumentParser
import GraphFlow
import GraphSandbox

/// The options for TLS between a sandbox and its clients.
struct SandboxTLSOptions: ParsableArguments {
  @Flag(
    help: """
      Serve https, with a certificate for Graph's hosts and localhost; the start shows how clients \
      trust its authority.
      """)
  var tls = false

  @Option(
    help: .value(
      "dir", "With --tls: where the authority is kept.",
      discussion: "Default: graphflow/sandbox-tls in the XDG config directory."),
    completion: .directory)
  var tlsDir: String?

  func validate() throws { try require(tls || tlsDir == nil, "--tls-dir needs --tls") }

  /// The authority; nil without TLS.
  func authority() throws -> KeptAuthority? {
    guard tls else { return nil }
    guard let folder = tlsDir ?? Configuration.folder.map({ $0 + "/sandbox-tls" }) else {
      throw CommandFailure(
        .misconfigured, "there is no folder for the authority of --tls",
        hint: "name one: --tls-dir DIR")
    }
    return try KeptAuthority(in: folder, at: WallClock.seconds())
  }
}

/// The certificate authority of a machine's sandboxes, in a folder that only its owner can read.
///
/// It is kept, so that a client that trusts it once can talk to later sandboxes.
struct KeptAuthority: Sendable {
  let authority: CertificateAuthority
  /// The certificate in PEM, for clients.
  let certificatePath: String
  private static let limit = 1 << 16

  /// Reads the authority, or makes one if there is none, or if it is about to end.
  init(in folder: String, at now: Int) throws {
    certificatePath = folder + "/ca.pem"
    let keyPath = folder + "/ca-key.pem"
    var isRenewed = false
    if FileStatus(keyPath) != nil {
      let kept = try Self.read(certificatePath, keyPath)
      if kept.isValid(at: now) {
        authority = kept
        return
      }
      isRenewed = true
    }
    authority = try CertificateAuthority(at: now)
    _ = try PrivateFolder(creating: folder)
    try writeAtomically(Array(authority.certificate.utf8), to: certificatePath)
    // The key last: without it the next start makes both again.
    try writeAtomically(Array(authority.key.utf8), to: keyPath)
    guard isRenewed else { return }
    Terminal.warn(
      "the authority was about to end: clients have to trust the new '\(certificatePath)'")
  }

  private static func read(
    _ certificatePath: String, _ keyPath: String
  ) throws -> CertificateAuthority {
    if let status = FileStatus(keyPath), !status.isPrivate {
      throw CommandFailure(
        .misconfigured, "'\(keyPath)' can be read by users other than its owner",
        hint: "remove it, and let clients trust the authority that the next start makes")
    }
    let texts = try [certificatePath, keyPath].map {
      String(decoding: try FileReading.bytes(of: $0, limit: limit), as: UTF8.self)
    }
    do {
      return try CertificateAuthority(certificate: texts[0], key: texts[1])
    } catch {
      throw CommandFailure(
        .misconfigured, "'\(certificatePath)' and '\(keyPath)' are no authority",
        hint: "remove both; the next start makes a new one")
    }
  }

  /// How clients of several languages trust the authority, for people.
  func instructions(url: String) -> String {
    let path = certificatePath.shellQuoted
    return """
      clients trust it with:
        curl       curl --cacert \(path) \(url)/
        graphflow  SSL_CERT_FILE=\(path) graphflow get me --graph-url \(url)
        Python     REQUESTS_CA_BUNDLE=\(path)      (httpx, urllib: SSL_CERT_FILE)
        Node       NODE_EXTRA_CA_CERTS=\(path)
        Ruby       SSL_CERT_FILE=\(path)
        PHP        php -d curl.cainfo=\(path) -d openssl.cafile=\(path)
        Java       keytool -importcert -noprompt -alias graphflow -storepass changeit \
      -keystore trust.p12 -file \(path)
                   java -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit
      """
  }
}
