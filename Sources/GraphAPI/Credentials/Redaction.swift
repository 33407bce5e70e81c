package import JSONPath

/// Recognizes secrets by the names of members and parameters.
///
/// The names are `access_token` and all that end in `_token`, `client_secret` and `appsecret_proof`,
/// case-insensitively.
package enum Redaction {
  /// Whether a value contains a member with a secret's name, at any depth; null is not a secret.
  ///
  /// Only names count, not the format of values.
  package static func hasSecretMember(_ value: JSON) -> Bool {
    switch value {
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains(where: hasSecretMember)
    case .object(let object):
      object.contains { name, value in
        isSecretName(name) && !value.isNull || hasSecretMember(value)
      }
    }
  }

  package static func isSecretName(_ name: String) -> Bool {
    guard name.holds("_") else { return false }
    var name = name
    return name.withUTF8 { bytes in
      guard let underscore = bytes.lastIndex(of: UInt8(ascii: "_")) else { return false }
      return endOfName(underscoreAt: underscore, in: bytes) == bytes.count
    }
  }

  /// The end of the secret's name whose last underscore is at this index; nil if it is not one.
  static func endOfName(underscoreAt index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let (ending, beginning) = parts(ofNameAround: index, in: text),
      text.matches(beginning, at: index - beginning.utf8CodeUnitCount)
    else { return nil }
    return index + ending.utf8CodeUnitCount
  }

  /// The parts of the secret's name whose ending starts with this underscore; nil if there is none.
  ///
  /// Its beginning is not checked.
  private static func parts(
    ofNameAround underscore: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> (ending: StaticString, beginning: StaticString)? {
    guard underscore + 1 < text.count else { return nil }
    let parts: (ending: StaticString, beginning: StaticString)
    switch text[underscore + 1].lowercased {
    case UInt8(ascii: "t"): parts = ("_token", "")
    case UInt8(ascii: "s"): parts = ("_secret", "client")
    case UInt8(ascii: "p"): parts = ("_proof", "appsecret")
    default: return nil
    }
    return text.matches(parts.ending, at: underscore) ? parts : nil
  }

  /// Whether the text may contain a secret's name, or a secret with escaped letters (`\u0061`).
  package static func mayContainSecret(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { text in
      let underscore = UInt8(ascii: "_")
      return text.span.contains(underscore, or: UInt8(ascii: "\\")) { index in
        text[index] == underscore
          ? parts(ofNameAround: index, in: text) != nil : text.isEscapedTokenCharacter(at: index)
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether there is an escape of a token character at this index.
  ///
  /// Token characters are letters, digits, `-`, `.`, `_` and `|`; `@`, which Graph escapes, is not.
  fileprivate func isEscapedTokenCharacter(at index: Int) -> Bool {
    guard count - index >= 6, self[index + 1] == UInt8(ascii: "u"),
      self[index + 2] == UInt8(ascii: "0"), self[index + 3] == UInt8(ascii: "0")
    else { return false }
    let (high, low) = (self[index + 4], self[index + 5] | 0x20)
    return switch high {
    case UInt8(ascii: "2"): low == UInt8(ascii: "d") || low == UInt8(ascii: "e")
    case UInt8(ascii: "3"): self[index + 5].isDigit
    case UInt8(ascii: "4"): self[index + 5] != UInt8(ascii: "0")
    default: (UInt8(ascii: "5")...UInt8(ascii: "7")).contains(high)
    }
  }
}
