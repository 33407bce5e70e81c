package import JSONPath

/// The one way in which secrets are taken out of what is stored or shown: by the names that they
/// arrive under, by what is known, and by what looks like a token.
///
/// Each function returns nil where there is nothing to take out, so that nothing is copied then.
extension SecretMask {
  /// Learns every secret that a value holds under a secret's name, also in JSON within its texts, as
  /// the body of an operation is.
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

  /// A body without secrets; JSON stays JSON.
  ///
  /// A text in which nothing can be found is looked at once, and not parsed.
  package func redacted(_ body: [UInt8]) -> [UInt8]? {
    let scrubbed = redactedByValue(body)
    guard scrubbed != nil || Redaction.mayContainSecret(body) else { return nil }
    guard let json = try? JSON(parsing: body) else {
      return Self.redactedByName(scrubbed ?? body) ?? scrubbed
    }
    let clean = redacted(json)
    // What is found in the text alone stands in a member that another of its name replaces.
    guard clean != nil || scrubbed != nil || Self.redactedByName(body) != nil else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(body.count)
    (clean ?? json).write(to: &output)
    return output
  }

  /// A text without secrets.
  package func redacted(_ text: String) -> String? {
    var contiguous = text
    guard let named = contiguous.withUTF8({ NamedSecretScrubber.scrubbed($0) }) else {
      return redactedByValue(text)
    }
    return String(decoding: redactedByValue(named) ?? named, as: UTF8.self)
  }

  private static func redactedByName(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { NamedSecretScrubber.scrubbed($0) }
  }

  /// A value without secrets: neither in texts and numbers nor in the names of members.
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

  /// The members of an object without secrets.
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

  /// Whether some text in a value, or a member's name, repeats a secret that is known.
  package func isKnown(in value: JSON) -> Bool {
    switch value {
    case .null, .bool, .number: false
    case .string(let text): isKnown(in: text)
    case .array(let elements): elements.contains(where: isKnown)
    case .object(let object):
      object.contains { isKnown(in: $0.name) || isKnown(in: $0.value) }
    }
  }

  /// A value with `***` in place of every secret.
  package func masked(_ value: JSON) -> JSON { redacted(value) ?? value }

  /// A body with `***` in place of every secret.
  package func masked(_ body: [UInt8]) -> [UInt8] { redacted(body) ?? body }
}
