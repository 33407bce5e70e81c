package import JSONPath

/// Tells secrets by the names that they arrive under: `access_token` and all that ends in `_token`,
/// `client_secret`, `appsecret_proof`, in any case of letters.
package enum Redaction {
  /// Whether a value holds a member with a secret's name, at any depth; a null is no secret.
  ///
  /// This goes by where a value comes from, never by what it looks like.
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

  /// Whether a value that arrives under this name is a secret.
  package static func isSecretName(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { bytes in
      guard let underscore = bytes.lastIndex(of: UInt8(ascii: "_")) else { return false }
      return endOfName(underscoreAt: underscore, in: bytes) == bytes.count
    }
  }

  /// Where a secret's name ends whose last underscore stands at this index.
  static func endOfName(underscoreAt index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let (ending, beginning) = parts(ofNameAround: index, in: text),
      text.holds(beginning, at: index - beginning.utf8CodeUnitCount)
    else { return nil }
    return index + ending.utf8CodeUnitCount
  }

  /// The name that ends with this underscore and what is behind it, if it is one; whether its
  /// beginning stands there is not asked.
  private static func parts(
    ofNameAround underscore: Int,
    in text: UnsafeBufferPointer<UInt8>
  ) -> (ending: StaticString, beginning: StaticString)? {
    guard underscore + 1 < text.count else { return nil }
    let parts: (ending: StaticString, beginning: StaticString)
    switch text[underscore + 1].lowercased {
    case UInt8(ascii: "t"): parts = ("_token", "")
    case UInt8(ascii: "s"): parts = ("_secret", "client")
    case UInt8(ascii: "p"): parts = ("_proof", "appsecret")
    default: return nil
    }
    return text.holds(parts.ending, at: underscore) ? parts : nil
  }

  /// Whether a secret's name can be in the text, or a secret with letters written as `\u0061`.
  package static func mayContainSecret(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { text in
      text.indices.contains { index in
        switch text[index] {
        case UInt8(ascii: "_"): parts(ofNameAround: index, in: text) != nil
        case UInt8(ascii: "\\"): text.holdsEscapedLetter(at: index)
        default: false
        }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
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
    case UInt8(ascii: "3"): self[index + 5].isDigit
    case UInt8(ascii: "4"): self[index + 5] != UInt8(ascii: "0")
    default: (UInt8(ascii: "5")...UInt8(ascii: "7")).contains(high)
    }
  }
}
