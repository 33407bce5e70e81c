public import JSONPath

/// Takes secrets out of what servers send, before it is shown or stored.
///
/// Secrets are known by the names they arrive under: `access_token` and all that ends in `_token`,
/// `client_secret`, `appsecret_proof`, in any case of letters.
public enum Redaction {
  /// A value without secrets, and whether it had any.
  ///
  /// The values of members with such a name become `***`, and so does what follows such a name and
  /// an equals sign or colon within a text, as in `paging.next`. A null stays.
  public static func redacted(_ body: JSON) -> (body: JSON, isTainted: Bool) {
    var isTainted = false
    let result = redacted(body, &isTainted)
    return (isTainted ? result : body, isTainted)
  }

  /// A text without secrets, and whether it had any; JSON stays JSON.
  ///
  /// Text in which no such name can be is returned as it is, without being parsed.
  public static func redacted(_ text: [UInt8]) -> (text: [UInt8], isTainted: Bool) {
    guard mayHoldSecret(text) else { return (text, false) }
    guard let json = try? JSON(parsing: text) else {
      let scrubbed = SecretScrubber.scrubbed(text)
      return (scrubbed ?? text, scrubbed != nil)
    }
    let (body, isTainted) = redacted(json)
    guard isTainted else { return (text, false) }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    body.write(to: &output)
    return (output, true)
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

  private static func redacted(_ value: JSON, _ isTainted: inout Bool) -> JSON {
    switch value {
    case .null, .bool, .number: return value
    case .string(let text):
      guard text.utf8.contains(UInt8(ascii: "_")),
        let scrubbed = SecretScrubber.scrubbed(Array(text.utf8))
      else { return value }
      isTainted = true
      return .string(String(decoding: scrubbed, as: UTF8.self))
    case .array(let elements):
      return .array(elements.map { redacted($0, &isTainted) })
    case .object(let object):
      return .object(
        JSON.Object(
          object.map { name, value in
            guard isSecretName(name), !value.isNull, value.string != Secret.mask else {
              return (name, redacted(value, &isTainted))
            }
            isTainted = true
            return (name, .string(Secret.mask))
          }
        )
      )
    }
  }

  /// Whether a secret's name can be in the text, also with letters written as `\u0061`.
  private static func mayHoldSecret(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
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
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a lower-case text stands at this index, in any case of letters.
  fileprivate func holds(_ text: [UInt8], at index: Int) -> Bool {
    guard text.count <= count - index else { return false }
    return text.indices.allSatisfy { self[index + $0] | 0x20 == text[$0] | 0x20 }
  }

  /// Whether `\u0041` to `\u007f` stands at this index; `@`, which Graph escapes, does not count.
  fileprivate func holdsEscapedLetter(at index: Int) -> Bool {
    guard count - index >= 6, self[index + 1] == UInt8(ascii: "u"),
      self[index + 2] == UInt8(ascii: "0"), self[index + 3] == UInt8(ascii: "0")
    else { return false }
    let high = self[index + 4]
    return (UInt8(ascii: "4")...UInt8(ascii: "7")).contains(high)
      && !(high == UInt8(ascii: "4") && self[index + 5] == UInt8(ascii: "0"))
  }
}
