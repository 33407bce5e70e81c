/// Searches bytes for secrets, with no code shared with the redactor that removes them.
package struct SecretScan {
  private let forms: [(name: String, bytes: [UInt8])]

  /// Searches for these secrets, as they are and encoded.
  package init(for secrets: [String]) {
    forms = secrets.flatMap { secret in
      SecretScan.forms(of: secret).map { ("\($0.name) of \(secret)", Array($0.text.utf8)) }
    }
  }

  /// The forms that occur in the bytes; empty if there is no leak.
  package func hits(in bytes: [UInt8]) -> [String] {
    forms.filter { bytes.firstRange(of: $0.bytes) != nil }.map(\.name)
  }

  /// The forms in which a secret can be written.
  package static func forms(of secret: String) -> [(name: String, text: String)] {
    let bytes = Array(secret.utf8)
    let isPlain = { (byte: UInt8) in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "-._~".utf8.contains(byte)
    }
    let percent = bytes.map { isPlain($0) ? String(UnicodeScalar($0)) : "%" + hex($0).uppercased() }
    return [
      ("the text", secret), ("the percent-encoding", percent.joined()),
      ("the JSON escapes", bytes.map { "\\u00" + hex($0) }.joined()),
      ("the digits", bytes.map(hex).joined()), ("the base64", base64(bytes)),
      ("the base64 after a byte", String(base64([0] + bytes).dropFirst(2))),
    ]
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  /// Base64 (RFC 4648) of the complete groups of three bytes: the rest depends on what follows.
  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    var index = 0
    while index + 2 < bytes.count {
      let group =
        Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
      for shift in [18, 12, 6, 0] { text.append(alphabet[group >> shift & 63]) }
      index += 3
    }
    return text
  }
}
