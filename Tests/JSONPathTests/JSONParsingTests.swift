import JSONPath
import Testing

@Suite struct JSONParsingTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.10", "1e400", "-12.5E-3", "-9223372036854775809",
    "123456789012345678901234567890", #""""#, #""a\"b\\c""#, #""\u0001\n\t""#, "[]", "{}",
    "[[],{}]", #"{"a":[1,2,{"b":null}],"c":"d"}"#, #"{"":{"":[""]}}"#, #""Grüße, 世界 🌍""#,
  ])
  func `compact text is unchanged after parsing and serializing`(text: String) throws {
    #expect(try JSON(parsing: text).serialized() == text)
  }

  @Test(arguments: [
    (" 1 ", "1"), ("\t[ 1 ,\r\n2 ]\n", "[1,2]"), (#"{ "a" : { } }"#, #"{"a":{}}"#),
    ("\u{feff}[]", "[]"), (#""\/\u0041\u00e9""#, #""/Aé""#), (#""\ud83d\ude00""#, #""😀""#),
    (#""\b\f""#, #""\b\f""#), (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
    (#"{"a":1,"\u0061":2}"#, #"{"a":2}"#),
  ])
  func `whitespace, escapes and repeated names are normalized`(
    text: String,
    expected: String
  ) throws {
    #expect(try JSON(parsing: text).serialized() == expected)
  }

  @Test(arguments: [
    #"\ud83d"#, #"\ude00"#, #"\ud83dx"#, #"\ud83d\n"#, #"\ud83d\u0041"#, #"\ude00\ud83d"#,
  ])
  func `an unpaired surrogate becomes the replacement character`(escape: String) throws {
    let text = try JSON(parsing: "\"\(escape)\"").string

    #expect(text?.unicodeScalars.contains("\u{fffd}") == true)
  }

  @Test(arguments: [
    ("", 0, 1, 1, "expected a value"),
    (" \n ", 3, 2, 2, "expected a value"),
    ("[1,]", 3, 1, 4, "expected a value"),
    ("[,1]", 1, 1, 2, "expected a value"),
    ("[1 2]", 3, 1, 4, "expected ',' or ']'"),
    ("[1}", 2, 1, 3, "expected ',' or ']'"),
    ("[", 1, 1, 2, "unexpected end of the text"),
    ("]", 0, 1, 1, "expected a value"),
    ("[1,\n 2", 6, 2, 3, "unexpected end of the text"),
    ("{\"a\"}", 4, 1, 5, "expected ':'"),
    ("{\"a\":}", 5, 1, 6, "expected a value"),
    ("{\"a\":1,}", 7, 1, 8, "expected a member name in quotes"),
    ("{,", 1, 1, 2, "expected a member name in quotes"),
    ("{\"a\":1]", 6, 1, 7, "expected ',' or '}'"),
    ("{a:1}", 1, 1, 2, "expected a member name in quotes"),
    ("01", 1, 1, 2, "unexpected text after the value"),
    ("1 1", 2, 1, 3, "unexpected text after the value"),
    ("-", 0, 1, 1, "not a JSON number"),
    ("1.", 0, 1, 1, "not a JSON number"),
    ("1e+", 0, 1, 1, "not a JSON number"),
    (".5", 0, 1, 1, "expected a value"),
    ("+1", 0, 1, 1, "expected a value"),
    ("tru", 0, 1, 1, "expected a value"),
    ("NaN", 0, 1, 1, "expected a value"),
    ("'a'", 0, 1, 1, "expected a value"),
    ("\"a", 0, 1, 1, "this string is never closed"),
    ("[\"ä\",\"\u{1}\"]", 7, 1, 7, "a control character must be escaped in a string"),
    (#""\x""#, 1, 1, 2, "no such escape in JSON"),
    (#""\u12g4""#, 1, 1, 2, #"\u needs four hexadecimal digits"#),
    (#""\u12"#, 1, 1, 2, #"\u needs four hexadecimal digits"#),
    (#""\"#, 1, 1, 2, "the text ends inside an escape"),
  ])
  func `a syntax error is reported with its position`(
    text: String,
    offset: Int,
    line: Int,
    column: Int,
    message: String
  ) {
    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }

    #expect(error?.offset == offset)
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.message == message)
    #expect(error?.description == "\(line):\(column): \(message)")
  }

  @Test(
    arguments: [
      [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xc2, 0x41], [0xe0, 0x9f, 0xbf],
      [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80],
      [0xf5, 0x80, 0x80, 0x80], [0xff], [0xf0, 0x9f, 0x98, 0x41],
    ] as [[UInt8]]
  )
  func `invalid UTF-8 is rejected at its position`(bytes: [UInt8]) {
    let text = Array("[\"abcdefgh".utf8) + bytes + Array("\"]".utf8)

    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }

    #expect(error?.message == "not UTF-8")
    #expect(error?.offset == 10)
  }

  @Test(arguments: [
    "\u{80}", "\u{7ff}", "\u{800}", "\u{ffff}", "\u{d7ff}", "\u{e000}", "\u{10ffff}",
  ])
  func `the bounds of UTF-8's ranges are accepted`(text: String) throws {
    for padding in 0..<9 {
      let padded = String(repeating: "x", count: padding) + text
      #expect(try JSON(parsing: "\"\(padded)\"") == .string(padded))
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[[],"])
  func `a hundred thousand brackets are rejected`(bracket: String) {
    let text = String(repeating: bracket, count: 100_000)

    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }

    #expect(error?.message == "nested deeper than 512 levels")
    #expect(throws: JSON.SyntaxError.self) { try JSON.Document(parsing: Array(text.utf8)) }
  }

  @Test func `nesting is allowed up to its limit, which can be lowered but not raised`() throws {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)

    let value = try JSON(parsing: deepest)

    #expect(value.serialized() == deepest)
    #expect(try value == JSON(parsing: deepest))
    #expect(throws: JSON.SyntaxError.self) {
      try JSON(parsing: "[\(deepest)]", maximumDepth: 9_999)
    }
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: "[[]]", maximumDepth: 1) }
    #expect(try JSON(parsing: "[]", maximumDepth: 1) == [])
    #expect(try JSON(parsing: "1", maximumDepth: 0) == 1)
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: "[]", maximumDepth: -1) }
  }

  @Test func `a string may start and end at any offset within eight bytes`() throws {
    for length in 0...40 {
      let plain = String(repeating: "a", count: length)
      for special in ["", #"\n"#, #"\""#, #"\u00e9"#, "é", "🌍"] {
        let text = "[\"\(plain)\(special)\(plain)\",\"\(special)\"]"
        let meant = [#"\n"#: "\n", #"\""#: "\"", #"\u00e9"#: "é"][special] ?? special
        #expect(try JSON(parsing: text) == [.string(plain + meant + plain), .string(meant)])
      }
    }
  }

  @Test func `no damage to a text makes the parser trap`() {
    let text = Array(#"[{"a\u00e9":[1.5e3,-0,true,null],"é":"\ud83d\ude00\/"},false]"#.utf8)
    var accepted = 0
    for position in text.indices {
      for byte in [0, 0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80, 0xc3, 0xf0, 0xff] as [UInt8] {
        var damaged = text
        damaged[position] = byte
        if let value = try? JSON(parsing: damaged) {
          accepted += 1
          #expect((try? JSON(parsing: value.serialized())) == value)
        }
      }
      #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: Array(text[..<position])) }
    }
    #expect(accepted > 0)
  }
}
