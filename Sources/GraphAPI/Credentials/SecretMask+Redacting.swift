package import JSONPath

/// Recording and replacing the secrets of JSON values and bodies.
extension SecretMask {
  /// Records every secret in members with a secret's name, also in strings that contain JSON, such as
  /// the body of an operation.
  package mutating func record(from value: JSON) { record(from: value, textDepth: 0) }

  private mutating func record(from value: JSON, textDepth: Int) {
    switch value {
    case .array(let elements):
      for element in elements { record(from: element, textDepth: textDepth) }
    case .object(let object):
      for (name, value) in object {
        if Redaction.isSecretName(name), let text = value.string {
          if text.utf8.count >= Self.shortestCertain, text != Secret.mask { record(text) }
        } else {
          record(from: value, textDepth: textDepth)
        }
      }
    case .string(let text):
      guard textDepth < 2,
        text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "["),
        Redaction.mayContainSecret(Array(text.utf8)), let inner = try? JSON(parsing: text)
      else { return }
      record(from: inner, textDepth: textDepth + 1)
    case .null, .bool, .number: break
    }
  }

  /// The body without secrets, or nil if there are none; JSON stays JSON.
  ///
  /// A text that cannot contain a secret is not parsed. `mayContain` is the result of
  /// ``Redaction/mayContainSecret(_:)``, if it is known.
  package func redacted(_ body: [UInt8], mayContain: Bool? = nil) -> [UInt8]? {
    let byValue = redactedByValue(body)
    guard byValue != nil || mayContain ?? Redaction.mayContainSecret(body) else { return nil }
    guard let json = try? JSON(parsing: body) else {
      return Self.redactedByName(byValue ?? body) ?? byValue
    }
    let clean = redacted(json)
    // A secret that is found only in the text is in a member that a repeated name replaces.
    guard clean != nil || byValue != nil || Self.redactedByName(body) != nil else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(body.count)
    (clean ?? json).write(to: &output)
    return output
  }

  package func redacted(_ text: String) -> String? {
    var contiguous = text
    guard text.holds("_"), let named = contiguous.withUTF8({ NamedSecretScrubber.scrubbed($0) })
    else { return redactedByValue(text) }
    return String(decoding: redactedByValue(named) ?? named, as: UTF8.self)
  }

  private static func redactedByName(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { NamedSecretScrubber.scrubbed($0) }
  }

  /// The value without secrets in strings, numbers and member names, or nil if there are none.
  package func redacted(_ value: JSON) -> JSON? {
    switch value {
    case .null, .bool: nil
    case .number(let number): redacted(number.lexeme).map { _ in .string(Secret.mask) }
    case .string(let text): redacted(text).map(JSON.string)
    case .array(let elements): redacted(elements).map(JSON.array)
    case .object(let object): redacted(object).map(JSON.object)
    }
  }

  private func redacted(_ elements: [JSON]) -> [JSON]? {
    var clean: [JSON]?
    for (index, element) in elements.enumerated() {
      guard let element = redacted(element) else { continue }
      clean = clean ?? elements
      clean?[index] = element
    }
    return clean
  }

  package func redacted(_ object: JSON.Object) -> JSON.Object? {
    var clean: [(String, JSON)]?
    for (index, member) in object.members.enumerated() {
      let name = redacted(member.name)
      let isSecret =
        Redaction.isSecretName(member.name) && !member.value.isNull
        && member.value.string != Secret.mask
      let value = isSecret ? .string(Secret.mask) : redacted(member.value)
      guard name != nil || value != nil else { continue }
      clean = clean ?? object.members.map { ($0.name, $0.value) }
      clean?[index] = (name ?? member.name, value ?? member.value)
    }
    return clean.map { JSON.Object($0) }
  }

  /// Whether a string or a member's name contains a recorded secret.
  package func containsRecordedSecret(_ value: JSON) -> Bool {
    switch value {
    case .null, .bool, .number: false
    case .string(let text): containsRecordedSecret(text)
    case .array(let elements): elements.contains(where: containsRecordedSecret)
    case .object(let object):
      object.contains { containsRecordedSecret($0.name) || containsRecordedSecret($0.value) }
    }
  }

  package func masked(_ value: JSON) -> JSON { redacted(value) ?? value }

  package func masked(_ body: [UInt8]) -> [UInt8] { redacted(body) ?? body }
}
