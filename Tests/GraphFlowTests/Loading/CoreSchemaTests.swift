import JSONPath
import Testing

@testable import GraphFlow

/// The types of plain texts by the core schema (YAML 1.2.2 §10.3.2).
struct CoreSchemaTests {
  private func value(_ text: String, _ style: YAMLNode.Style = .plain) -> CoreSchema.Value {
    CoreSchema.value(of: YAMLNode.Scalar(text: text, style: style))
  }

  @Test(arguments: ["", "~", "null", "Null", "NULL"])
  func `null has five spellings`(_ text: String) { #expect(value(text) == .null) }

  @Test(arguments: [
    ("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false),
    ("FALSE", false),
  ])
  func `booleans have three spellings each`(_ text: String, _ expected: Bool) {
    #expect(value(text) == .bool(expected))
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "-0"), ("12", "12"), ("+12", "12"), ("-19", "-19"), ("012", "12"),
    ("0o14", "12"), ("0xC", "12"), ("0xff", "255"), ("0xFF", "255"), ("0o0", "0"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"),
  ])
  func `integers keep every digit`(_ text: String, _ lexeme: String) {
    guard case .integer(let number) = value(text) else {
      Issue.record("\(text) is \(value(text))")
      return
    }
    #expect(number.lexeme == lexeme)
  }

  @Test(arguments: [
    ("1.5", "1.5"), ("1.10", "1.10"), ("-1.", "-1.0"), (".5", "0.5"), ("+.5", "0.5"),
    ("1e3", "1e3"), ("1E-3", "1e-3"), ("1.5e+3", "1.5e+3"), ("01.50", "1.50"), ("12e03", "12e03"),
    ("1e400", "1e400"),
  ])
  func `floats keep their spelling`(_ text: String, _ lexeme: String) {
    guard case .float(let number) = value(text) else {
      Issue.record("\(text) is \(value(text))")
      return
    }
    #expect(number.lexeme == lexeme)
  }

  @Test(arguments: [".inf", "-.inf", "+.INF", ".Inf", ".nan", ".NaN", ".NAN"])
  func `infinite values and NaN are recognised`(_ text: String) {
    #expect(value(text) == .notFinite)
  }

  @Test(arguments: [
    "yes", "Yes", "no", "NO", "on", "off", "y", "n", "tRUE", "nULL", "nil", "none", "0x", "0xG",
    "0o8", "-0x1", "1_000", "1:30", "2024-01-01", "1e", "1e+", ".", "-", "+", "..", "1.2.3", "+-1",
    "-.nan", "v25.0", "12a", "~~", "0b1", " 1", "½",
  ])
  func `everything else is text`(_ text: String) { #expect(value(text) == .string(text)) }

  @Test(arguments: [
    YAMLNode.Style.singleQuoted, .doubleQuoted, .literal, .folded,
  ])
  func `everything quoted is text`(_ style: YAMLNode.Style) {
    for text in ["", "1", "true", "null", "~", "1.5"] {
      #expect(value(text, style) == .string(text))
    }
  }
}
