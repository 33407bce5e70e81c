public import JSONPath

/// Tells secrets by the names that they arrive under: `access_token` and all that ends in `_token`,
/// `client_secret`, `appsecret_proof`, in any case of letters.
public enum Redaction {
  /// Whether a value holds a member with a secret's name, at any depth; a null is no secret.
  ///
  /// This goes by where a value comes from, never by what it looks like.
  public static func hasSecretMember(_ value: JSON) -> Bool {
    switch value {
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains(where: hasSecretMember)
    case .object(let object):
      object.contains { name, value in
        isSecretName(name) && !value.isNull || hasSecretMember(value)
      }
    }
  }

  /// Whether a value that arrives under this name is a secret.
  public static func isSecretName(_ name: String) -> Bool {
    let name = name.utf8
    guard let last = name.last, SecretScrubber.lastLetters.contains(last) else { return false }
    return SecretScrubber.names.contains { secret in
      guard name.count >= secret.count else { return false }
      return zip(name.suffix(secret.count), secret).allSatisfy { byte, wanted in
        ((65...90).contains(byte) ? byte | 0x20 : byte) == wanted
      }
    }
  }

  /// Whether a secret's name can be in the text, or a secret with letters written as `\u0061`.
  package static func mayHoldSecret(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { mayHoldSecret($0) }
  }

  static func mayHoldSecret(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "_") {
        if index + 1 < bytes.count, SecretScrubber.secondLetters.contains(bytes[index + 1]),
          SecretScrubber.endings.contains(where: { bytes.holds($0, at: index) })
        {
          return true
        }
      } else if byte == UInt8(ascii: "\\"), bytes.holdsEscapedLetter(at: index) {
        return true
      }
      index += 1
    }
    return false
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a lower-case text stands at this index, in any case of letters.
  fileprivate func holds(_ text: [UInt8], at index: Int) -> Bool {
    guard text.count <= count - index else { return false }
    return text.indices.allSatisfy { self[index + $0] | 0x20 == text[$0] | 0x20 }
  }

  /// Whether an escape stands at this index for a character that tokens consist of.
  ///
  /// These are letters, digits, `-`, `.`, `_` and `|`; `@`, which Graph escapes, does not count.
  fileprivate func holdsEscapedLetter(at index: Int) -> Bool {
    guard count - index >= 6, self[index + 1] == UInt8(ascii: "u"),
      self[index + 2] == UInt8(ascii: "0"), self[index + 3] == UInt8(ascii: "0")
    else { return false }
    let (high, low) = (self[index + 4], self[index + 5] | 0x20)
    return switch high {
    case UInt8(ascii: "2"): low == UInt8(ascii: "d") || low == UInt8(ascii: "e")
    case UInt8(ascii: "3"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[index + 5])
    case UInt8(ascii: "4"): self[index + 5] != UInt8(ascii: "0")
    default: (UInt8(ascii: "5")...UInt8(ascii: "7")).contains(high)
    }
  }
}
