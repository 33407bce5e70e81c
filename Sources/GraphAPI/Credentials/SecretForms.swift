#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encoded forms of a secret in which a text may contain it.
///
/// - unchanged
/// - percent-encoded, once and twice, with digits of both cases
/// - escaped for JSON, as the encoders of PHP, Python and Go do, and as Graph does, which also escapes
///   `@`
/// - in base64, in both alphabets and at any offset of the encoded text
/// - in hexadecimal digits
enum SecretForms {
  /// The forms of a secret, none shorter than ``SecretMask/shortestForm``.
  static func forms(of secret: String) -> Set<[UInt8]> {
    let bytes = Array(secret.utf8)
    var forms: Set<[UInt8]> = [bytes]
    let encoded = Array(PercentEncoding.encoded(secret).utf8)
    let lowercased = withLowercaseDigits(encoded)
    for form in [encoded, lowercased] {
      var twice: [UInt8] = []
      PercentEncoding.append(form, to: &twice)
      forms.formUnion([form, twice])
    }
    forms.formUnion(escapedForJSON(secret))
    if bytes.count >= shortestEncoded {
      for shift in 0..<3 { forms.formUnion(base64(bytes, shift: shift)) }
      forms.formUnion([
        Hexadecimal.digits(of: bytes, from: Hexadecimal.lowerDigits),
        Hexadecimal.digits(of: bytes, from: Hexadecimal.upperDigits),
      ])
    }
    return forms.filter { $0.count >= SecretMask.shortestForm }
  }

  /// The base64 and hexadecimal forms of shorter secrets would match too many texts by chance.
  private static let shortestEncoded = 8

  /// The part of a base64 text that depends only on the secret, at an offset of `shift` modulo 3.
  ///
  /// The characters at both ends also encode bits of the surrounding bytes.
  private static func base64(_ secret: [UInt8], shift: Int) -> [[UInt8]] {
    let text = Data([UInt8](repeating: 0, count: shift) + secret).base64EncodedString()
    let first = (shift * 8 + 5) / 6
    let end = (shift + secret.count) * 8 / 6
    let standard = Array(text.utf8)[first..<end]
    let urlSafe = standard.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return [Array(standard), urlSafe]
  }

  /// Percent-encoded text with the digits of its escapes in lower case.
  private static func withLowercaseDigits(_ encoded: [UInt8]) -> [UInt8] {
    var digits = 0
    return encoded.map { byte in
      defer { digits = byte == UInt8(ascii: "%") ? 2 : max(digits - 1, 0) }
      return digits > 0 && (65...70).contains(byte) ? byte | 0x20 : byte
    }
  }

  /// The secret as JSON encoders write it: some escape slashes, non-ASCII characters, or special
  /// characters of HTML; Graph escapes `@`.
  private static func escapedForJSON(_ secret: String) -> Set<[UInt8]> {
    let isPlain = secret.utf8.allSatisfy { $0.isLetterOrDigit || "-._|~".utf8.contains($0) }
    guard !isPlain else { return [] }
    var forms: Set<[UInt8]> = []
    for numbered in ["", "@", "<>&", "<>&'@"] {
      for escapesSlashes in [false, true] {
        for escapesOthers in [false, true] {
          for digits in [Hexadecimal.lowerDigits, Hexadecimal.upperDigits] {
            let form = secret.unicodeScalars.flatMap { scalar -> [UInt8] in
              let isNumbered =
                numbered.unicodeScalars.contains(scalar) || escapesOthers && !scalar.isASCII
              if isNumbered { return escapedByNumber(scalar, digits) }
              let isEscaped =
                "\"\\".unicodeScalars.contains(scalar) || escapesSlashes && scalar == "/"
              return (isEscaped ? [UInt8(ascii: "\\")] : []) + Array(String(scalar).utf8)
            }
            forms.insert(form)
          }
        }
      }
    }
    return forms
  }

  /// A character as `\u` and four digits, or as a surrogate pair.
  private static func escapedByNumber(_ scalar: Unicode.Scalar, _ digits: [UInt8]) -> [UInt8] {
    String(scalar).utf16.flatMap { unit in
      Array("\\u".utf8)
        + Hexadecimal.digits(of: [UInt8(unit >> 8), UInt8(unit & 0xFF)], from: digits)
    }
  }
}
