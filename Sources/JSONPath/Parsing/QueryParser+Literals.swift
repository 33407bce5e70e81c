/// Strings and numbers (RFC 9535 §2.3.1.1, §2.3.3.1, §2.3.5.1).
extension QueryParser {
  /// The largest magnitude of an index: I-JSON's exact integers (RFC 7493 §2.2).
  private static let largestInteger = 9_007_199_254_740_991

  /// An integer, or nil if there is none here (`int`).
  mutating func optionalInteger() throws(Query.SyntaxError) -> Int? {
    guard let first = next, first == "-" || first.isDigit else { return nil }
    let start = position
    let sign = consume("-") ? "-" : ""
    let digits = consumeWhile(\.isDigit)
    guard !digits.isEmpty else { throw error("expected digits after '-'") }
    guard digits == "0" ? sign.isEmpty : !digits.hasPrefix("0") else {
      throw error("an index must not have a leading zero or be -0", at: start)
    }
    guard let value = Int(sign + digits), value.magnitude <= Self.largestInteger.magnitude else {
      throw error("outside the exact integers of JSON, ±(2^53 - 1)", at: start)
    }
    return value
  }

  /// A number in an expression (`number`).
  mutating func numberLiteral() throws(Query.SyntaxError) -> JSON {
    let start = position
    let lexeme = consumeWhile { scalar in
      scalar.isDigit || scalar == "-" || scalar == "+" || scalar == "." || scalar == "e"
        || scalar == "E"
    }
    guard let number = JSON.Number(lexeme: lexeme) else {
      throw error("not a JSON number", at: start)
    }
    return .number(number)
  }

  /// A string in single or double quotes (`string-literal`).
  mutating func stringLiteral() throws(Query.SyntaxError) -> String {
    let start = position
    let quote = next
    advance()
    var value = String.UnicodeScalarView()
    while let scalar = next {
      switch scalar {
      case quote:
        advance()
        return String(value)
      case "\\":
        value.append(try escapedScalar(in: quote))
      case "\0"..<" ":
        throw error("a control character must be escaped in a string")
      default:
        value.append(scalar)
        advance()
      }
    }
    throw error("this string is never closed", at: start)
  }

  /// The value of a backslash and the characters after it (`escapable`).
  private mutating func escapedScalar(
    in quote: Unicode.Scalar?
  ) throws(Query.SyntaxError) -> Unicode.Scalar {
    let start = position
    advance()
    let escape = next
    advance()
    switch escape {
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/": return "/"
    case "\\": return "\\"
    case "u": return try unicodeEscape(from: start)
    case let escape? where escape == quote: return escape
    default: throw error("no such escape", at: start, hint: #"a backslash itself is \\"#)
    }
  }

  /// The value of four digits, or of two times four for a surrogate pair (`hexchar`).
  private mutating func unicodeEscape(
    from start: String.Index
  ) throws(Query.SyntaxError) -> Unicode.Scalar {
    let unit = try fourHexadecimalDigits(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xdc00, consume("\\u") else { throw error("unpaired surrogate", at: start) }
    let low = try fourHexadecimalDigits(from: start)
    guard (0xdc00...0xdfff).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    else { throw error("unpaired surrogate", at: start) }
    return scalar
  }

  private mutating func fourHexadecimalDigits(
    from start: String.Index
  ) throws(Query.SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ UInt8(exactly: $0.value) })?.hexadecimalValue else {
        throw error(#"\u needs four hexadecimal digits"#, at: start)
      }
      value = value << 4 | UInt32(digit)
      advance()
    }
    return value
  }
}
