internal import JSONPath

/// The core schema of YAML: which plain texts are numbers, booleans or null (YAML 1.2.2 §10.3.2).
enum CoreSchema {
  /// A typed scalar.
  enum Value: Equatable {
    case null
    case bool(Bool)
    case integer(JSON.Number)
    case float(JSON.Number)
    /// `.inf`, `-.inf` or `.nan`: not a JSON number.
    case notFinite
    case string(String)

    var number: JSON.Number? {
      switch self {
      case .integer(let number), .float(let number): number
      default: nil
      }
    }

    /// The value as JSON; nil if it is not finite.
    var json: JSON? {
      switch self {
      case .null: .null
      case .bool(let value): .bool(value)
      case .integer(let number), .float(let number): .number(number)
      case .notFinite: nil
      case .string(let text): .string(text)
      }
    }
  }

  /// The longest hexadecimal or octal integer, in digits.
  static let maximumDigits = 64

  /// The value of a scalar, by its tag or, without a tag, by its style and text.
  static func value(of scalar: YAMLNode.Scalar) -> Value {
    switch scalar.tag {
    case .string: .string(scalar.text)
    case .none where scalar.style != .plain: .string(scalar.text)
    case .float:
      switch plainValue(of: scalar.text) {
      case .integer(let number): .float(number)
      case let value: value
      }
    default: plainValue(of: scalar.text)
    }
  }

  static func tagFits(_ scalar: YAMLNode.Scalar) -> Bool {
    switch (scalar.tag, plainValue(of: scalar.text)) {
    case (.none, _), (.string, _), (.integer, .integer), (.float, .integer), (.float, .float),
      (.float, .notFinite), (.boolean, .bool), (.null, .null):
      true
    default: false
    }
  }

  private static func plainValue(of text: String) -> Value {
    guard let first = text.utf8.first else { return .null }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return number(text) ?? .string(text)
    case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"),
      UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
      return word(text) ?? .string(text)
    default: return .string(text)
    }
  }

  private static func word(_ text: String) -> Value? {
    switch text {
    case "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE": .bool(true)
    case "false", "False", "FALSE": .bool(false)
    default: nil
    }
  }

  /// Whether a scalar is `null`, written or left out.
  static func isNull(_ scalar: YAMLNode.Scalar) -> Bool {
    guard scalar.tag == .none ? scalar.style == .plain : scalar.tag != .string else { return false }
    return scalar.text.isEmpty || word(scalar.text) == .null
  }

  private static func number(_ text: String) -> Value? {
    // Most numbers are written as in JSON.
    if text.utf8.first != UInt8(ascii: "0"), text.utf8.allSatisfy(WorkflowName.isDigit) {
      return JSON.Number(lexeme: text).map { .integer($0) }
    }
    if text.hasPrefix("0x") { return based(text, radix: 16) }
    if text.hasPrefix("0o") { return based(text, radix: 8) }
    return decimal(text)
  }

  /// `0o[0-7]+` and `0x[0-9a-fA-F]+`.
  private static func based(_ text: String, radix: UInt8) -> Value? {
    let digits = text.utf8.dropFirst(2)
    guard !digits.isEmpty, digits.count <= maximumDigits else { return nil }
    // Decimal digits, the least significant first, so that a large integer does not overflow.
    var decimal: [UInt8] = [0]
    for byte in digits {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else {
        return nil
      }
      var carry = digit
      for index in decimal.indices {
        let sum = Int(decimal[index]) * Int(radix) + carry
        decimal[index] = UInt8(sum % 10)
        carry = sum / 10
      }
      while carry > 0 {
        decimal.append(UInt8(carry % 10))
        carry /= 10
      }
    }
    let lexeme = String(decoding: decimal.reversed().map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    return JSON.Number(lexeme: lexeme).map { .integer($0) }
  }

  /// `[-+]?[0-9]+`, `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, or not finite.
  private static func decimal(_ text: String) -> Value? {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    let isSigned = isNegative || rest.first == UInt8(ascii: "+")
    if isSigned { rest = rest.dropFirst() }
    switch String(rest) {
    case ".inf", ".Inf", ".INF": return .notFinite
    case ".nan", ".NaN", ".NAN": return isSigned ? nil : .notFinite
    default: break
    }
    let mark = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? rest.endIndex
    let mantissa = rest[..<mark]
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mark
    let (whole, fraction) = (mantissa[..<point], mantissa[point...].dropFirst())
    // The other rules are those of JSON numbers, which are checked below.
    guard whole.allSatisfy(WorkflowName.isDigit), !whole.isEmpty || !fraction.isEmpty else {
      return nil
    }
    let significant = whole.drop { $0 == UInt8(ascii: "0") }
    var lexeme = (isNegative ? "-" : "") + (significant.isEmpty ? "0" : "\(Substring(significant))")
    if point < mark { lexeme += "." + (fraction.isEmpty ? "0" : "\(Substring(fraction))") }
    lexeme += Substring(rest[mark...]).lowercased()
    guard let number = JSON.Number(lexeme: lexeme) else { return nil }
    return point == rest.endIndex ? .integer(number) : .float(number)
  }
}
