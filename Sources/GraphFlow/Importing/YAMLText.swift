internal import JSONPath

/// Writes a document as YAML: maps as blocks, lists in brackets, texts without quotes where any
/// reader of YAML takes them for the same text.
struct YAMLText {
  private(set) var text = ""

  mutating func write(_ members: JSON.Object, indent: Int = 0) {
    for (name, value) in members {
      text += String(repeating: " ", count: indent) + Self.scalar(name) + ":"
      if case .object(let inner) = value, !inner.isEmpty {
        text += "\n"
        write(inner, indent: indent + 2)
      } else {
        text += " " + Self.line(value, isNested: false) + "\n"
      }
    }
  }

  /// A value on one line; in brackets, fewer texts need no quotes.
  private static func line(_ value: JSON, isNested: Bool) -> String {
    switch value {
    case .string(let text): isNested ? nestedScalar(text) : scalar(text)
    case .array(let elements):
      "[" + elements.map { line($0, isNested: true) }.joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.map { nestedScalar($0.name) + ": " + line($0.value, isNested: true) }
        .joined(separator: ", ") + "}"
    default: value.serialized()
    }
  }

  /// Words that readers of YAML 1.1 or 1.2 take for something else than text, in lower case.
  private static let reserved: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n",
  ]

  private static func nestedScalar(_ text: String) -> String {
    text.utf8.allSatisfy(WorkflowName.isPart) ? scalar(text) : quoted(text)
  }

  private static func scalar(_ text: String) -> String {
    let bytes = text.utf8
    // What is sent of a number or a boolean are its characters.
    if ["true", "false"].contains(text) { return text }
    if bytes.first != UInt8(ascii: "0"), (1...18).contains(bytes.count),
      bytes.allSatisfy(WorkflowName.isDigit)
    {
      return text
    }
    let isPlain =
      bytes.first.map(WorkflowName.isStart) == true && bytes.last != UInt8(ascii: " ")
      && bytes.allSatisfy { WorkflowName.isPart($0) || ",./? ".utf8.contains($0) }
    return isPlain && !reserved.contains(text.lowercased()) ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case " "..."~": quoted.unicodeScalars.append(scalar)
      case _ where isShown(scalar): quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (mark, width) = scalar.value > 0xFFFF ? ("\\U", 8) : ("\\u", 4)
        quoted += mark + String(repeating: "0", count: width - digits.count) + digits
      }
    }
    return quoted + "\""
  }

  /// Whether a character outside of ASCII is visible and may stand in a YAML file (YAML 1.2.2,
  /// section 5.1).
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      false
    default: scalar.value > 0xA0
    }
  }
}
