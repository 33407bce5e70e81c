internal import Crypto

/// What a certificate says, and its encoding (RFC 5280; DER: ITU-T X.690; ECDSA: RFC 5758).
///
/// Our own code, because the library for certificates would link all of Foundation and its tables of
/// languages, 40 MB, into the command.
struct CertificateForm {
  /// What the key may be used for, and by which names.
  enum Use {
    /// May sign certificates of these domains and of the names below them, and of no addresses.
    case authority(domains: [String])
    case server(hosts: [String])
  }

  let subject: String
  let issuer: String
  let key: P256.Signing.PublicKey
  let issuerKey: P256.Signing.PublicKey
  /// When it is made, in seconds since 1970.
  let start: Int
  let use: Use

  /// When it ends, after a year: some clients refuse servers whose certificates are valid for longer.
  var end: Int { start + 365 * 86_400 }

  /// The certificate in PEM (RFC 7468).
  func pem(signedWith key: P256.Signing.PrivateKey) throws -> String {
    let contents = contents
    let signature = try key.signature(for: contents).derRepresentation
    let bytes = DER.sequence(contents, Self.algorithm, DER.bits(Array(signature)))
    let text = Array(Base64Text.text(of: bytes))
    let lines = stride(from: 0, to: text.count, by: 64).map {
      String(text[$0..<min($0 + 64, text.count)])
    }
    return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""])
      .joined(separator: "\n")
  }

  /// `ecdsa-with-SHA256`.
  private static let algorithm = DER.sequence(
    DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))

  private var contents: [UInt8] {
    // Positive, and with enough random bits that no two certificates share a number.
    let serial = [0x40] + (0..<15).map { _ in UInt8.random(in: 0...255) }
    return DER.sequence(
      DER.tagged(0xA0, DER.tagged(0x02, [2])), DER.tagged(0x02, serial), Self.algorithm,
      Self.name(issuer),
      // From an hour ago, because clocks differ.
      DER.sequence(DER.time(start - 3_600), DER.time(end)), Self.name(subject),
      Array(key.derRepresentation), DER.tagged(0xA3, DER.sequence(extensions.flatMap(\.self))))
  }

  private var extensions: [[UInt8]] {
    let shared = [
      Self.extension(14, DER.tagged(0x04, Self.hash(of: key))),
      Self.extension(35, DER.sequence(DER.tagged(0x80, Self.hash(of: issuerKey)))),
    ]
    switch use {
    case .authority(let domains):
      let permitted = domains.flatMap { DER.sequence(DER.name($0)) }
      // BoringSSL refuses a server's certificate that names an address if its authority may sign
      // addresses of some networks only. So none may be signed, of IPv4 and of IPv6.
      let excluded = [8, 32].flatMap { length in
        DER.sequence(DER.tagged(0x87, [UInt8](repeating: 0, count: length)))
      }
      return shared + [
        // Signs servers only, no further authority; `keyCertSign`; the names.
        Self.extension(
          19, isCritical: true, DER.sequence(DER.tagged(0x01, [0xFF]), DER.tagged(0x02, [0]))),
        Self.extension(15, isCritical: true, DER.tagged(0x03, [2, 0b0000_0100])),
        Self.extension(
          30, isCritical: true,
          DER.sequence(DER.tagged(0xA0, permitted), DER.tagged(0xA1, excluded))),
      ]
    case .server(let hosts):
      return shared + [
        // No authority; `digitalSignature`; `serverAuth`; the names.
        Self.extension(19, isCritical: true, DER.sequence()),
        Self.extension(15, isCritical: true, DER.tagged(0x03, [7, 0b1000_0000])),
        Self.extension(
          37, DER.sequence(DER.identifier([0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]))),
        Self.extension(17, DER.sequence(hosts.flatMap(DER.name))),
      ]
    }
  }

  /// An extension of `id-ce` (2.5.29) by its last number.
  private static func `extension`(
    _ number: UInt8, isCritical: Bool = false, _ value: [UInt8]
  ) -> [UInt8] {
    DER.sequence(
      DER.identifier([0x55, 0x1D, number]), isCritical ? DER.tagged(0x01, [0xFF]) : [],
      DER.tagged(0x04, value))
  }

  /// A name of a `commonName` (2.5.4.3) alone.
  private static func name(_ text: String) -> [UInt8] {
    let pair = DER.sequence(DER.identifier([0x55, 0x04, 0x03]), DER.tagged(0x0C, Array(text.utf8)))
    return DER.sequence(DER.tagged(0x31, pair))
  }

  /// The identifier of a key: the first 160 bits of the SHA-256 of its point (RFC 7093, section 2).
  private static func hash(of key: P256.Signing.PublicKey) -> [UInt8] {
    Array(SHA256.hash(data: key.x963Representation).prefix(20))
  }
}

/// Distinguished Encoding Rules: a tag, a length, and the content (ITU-T X.690).
private enum DER {
  static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      switch count {
      case ..<0x80: [UInt8(count)]
      case ..<0x100: [0x81, UInt8(count)]
      default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
      }
    return [tag] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap(\.self)) }

  static func identifier(_ encoded: [UInt8]) -> [UInt8] { tagged(0x06, encoded) }

  /// A `dNSName` of a `GeneralName`.
  static func name(_ host: String) -> [UInt8] { tagged(0x82, Array(host.utf8)) }

  static func bits(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }

  /// A `UTCTime`, for times before 2050: `261127120000Z`.
  static func time(_ seconds: Int) -> [UInt8] {
    let digits = GraphTime.text(seconds).filter(\.isNumber)
    return tagged(0x17, Array((digits.dropFirst(2).prefix(12) + "Z").utf8))
  }
}
