import JSONPath
import Testing

@Suite struct JSONNumberTests {
  /// The number with this text.
  private func number(_ lexeme: String) throws -> JSON.Number {
    try #require(JSON.Number(lexeme: lexeme))
  }

  @Test(arguments: [
    ["1", "1.0", "10e-1", "0.1e1", "1E0", "1e+0", "100000e-5"],
    ["0", "-0", "0.00", "0e999999999999999999999999999999999999999", "-0e-1"],
    ["1e400", "10e399", "0.1e401"],
    ["-1.10", "-1.1", "-110e-2"],
    ["123456789012345678901234567890", "1.2345678901234567890123456789e29"],
    ["1e100000000000000000000", "10e99999999999999999999"],
  ])
  func `numbers with the same value are equal in any notation`(lexemes: [String]) throws {
    let numbers = try lexemes.map(number)

    for other in numbers.dropFirst() {
      #expect(numbers[0] == other)
      #expect(numbers[0].hashValue == other.hashValue)
      #expect(!(numbers[0] < other) && !(other < numbers[0]))
    }
  }

  @Test func `numbers are ordered by exact value`() throws {
    let ascending = [
      "-1e401", "-1e400", "-9007199254740993", "-9007199254740992", "-2", "-1.5", "-1e-400", "0",
      "1e-401", "1e-400", "0.1", "0.10000000000000000001", "1", "9", "10", "9007199254740992",
      "9007199254740993", "9223372036854775807", "9223372036854775808", "1e400", "1e401",
    ]

    let numbers = try ascending.map(number)

    for (left, right) in zip(numbers, numbers.dropFirst()) {
      #expect(left < right)
      #expect(!(right < left))
      #expect(left != right)
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("-120e-1", -12),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775.807e3", .max), ("9223372036854775808", nil), ("1.5", nil), ("1e400", nil),
      ("1e-1", nil), ("1e99999999999999999999999999999999999999", nil),
    ] as [(String, Int?)])
  func `a whole number that fits is an Int`(lexeme: String, expected: Int?) throws {
    #expect(try number(lexeme).integer == expected)
    #expect(try JSON(parsing: lexeme).integer == expected)
  }

  @Test(arguments: [("1.10", 1.1), ("-2e3", -2000), ("1e400", .infinity), ("1e-400", 0)])
  func `a number has a nearest Double`(lexeme: String, expected: Double) throws {
    #expect(try number(lexeme).double == expected)
  }

  @Test(arguments: ["", " 1", "1 ", "01", "+1", "1.", ".1", "0x10", "1e", "--1", "1_000", "١"])
  func `text that is not a JSON number makes no number`(lexeme: String) {
    #expect(JSON.Number(lexeme: lexeme) == nil)
  }

  @Test(arguments: ["1.10", "1e400", "-0", "123456789012345678901234567890"])
  func `a number keeps its text`(lexeme: String) throws {
    #expect(try number(lexeme).lexeme == lexeme)
    #expect(JSON.number(try number(lexeme)).serialized() == lexeme)
  }
}
