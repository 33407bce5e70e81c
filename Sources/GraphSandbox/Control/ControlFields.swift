import JSONPath

/// The values that come with a command: the members of a JSON object, or the fields of a form.
struct ControlFields: Sendable {
  private let values: [String: JSON]

  /// The whole body as JSON; nil if it was a form.
  let json: JSON?

  /// Reads a body of JSON; an empty one has no values.
  init(json bytes: [UInt8]) throws(ControlFailure) {
    guard !bytes.isEmpty else {
      (values, json) = ([:], nil)
      return
    }
    let value: JSON
    do {
      value = try JSON(parsing: bytes)
    } catch {
      throw ControlFailure("the body is not JSON: \(error)", hint: "send an object, or no body")
    }
    guard let members = value.object else {
      throw ControlFailure("the body is JSON, but not an object", hint: "send {…}, or no body")
    }
    values = Dictionary(members.members.map { ($0.name, $0.value) }) { _, last in last }
    json = value
  }

  /// What only forms of the page hold: the command, the page's key, and what it shows.
  private static let ofForms = ["do", "key", "view"]

  /// Takes the fields of a form; a name with several values is a list.
  init(form: Parameters) {
    var values: [String: JSON] = [:]
    for (name, value) in form.members where !Self.ofForms.contains(name) {
      switch values[name] {
      case nil: values[name] = .string(value)
      case .array(let list)?: values[name] = .array(list + [.string(value)])
      case let first?: values[name] = .array([first, .string(value)])
      }
    }
    self.values = values
    json = nil
  }

  /// Refuses names that the command does not know.
  func check(_ known: [String]) throws(ControlFailure) {
    guard let name = values.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw ControlFailure(
      "there is no '\(name.excerpt)' here",
      hint: known.isEmpty ? "send no values" : "it takes: \(known.joined(separator: ", "))")
  }

  func contains(_ name: String) -> Bool { values[name] != nil }

  /// A text; a number is taken as it is written.
  func text(_ name: String) throws(ControlFailure) -> String? {
    switch values[name] {
    case nil, .null?: nil
    case .string(let text)?: text
    case .number(let number)?: number.lexeme
    default: throw ControlFailure("'\(name)' must be a text")
    }
  }

  /// A text that must be there.
  func required(_ name: String, hint: String? = nil) throws(ControlFailure) -> String {
    guard let text = try text(name)?.trimmed, !text.isEmpty else {
      throw ControlFailure("'\(name)' is missing", hint: hint)
    }
    return text
  }

  func flag(_ name: String) throws(ControlFailure) -> Bool? {
    switch values[name] {
    case nil, .null?: nil
    case .bool(let value)?: value
    case "true"?: true
    case "false"?: false
    default: throw ControlFailure("'\(name)' must be true or false")
    }
  }

  func count(_ name: String) throws(ControlFailure) -> Int? {
    guard let text = try text(name) else { return nil }
    guard let count = Int(text), (1...1_000_000_000).contains(count) else {
      throw ControlFailure("'\(name)' must be a number from 1")
    }
    return count
  }

  /// A list of texts, or one text; empty texts are left out.
  func list(_ name: String) throws(ControlFailure) -> [String]? {
    let elements: [JSON]
    switch values[name] {
    case nil, .null?: return nil
    case .array(let list)?: elements = list
    case let one?: elements = [one]
    }
    let texts = elements.compactMap(\.string)
    guard texts.count == elements.count else {
      throw ControlFailure("'\(name)' must be a list of texts")
    }
    return texts.filter { !$0.isEmpty }
  }
}
