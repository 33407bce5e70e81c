import JSONPath
import Testing

@Suite struct JSONValueTests {
  @Test func `literals make values`() {
    let value: JSON = ["a": [1, true, .null, "x"], "b": [:]]

    #expect(value.serialized() == #"{"a":[1,true,null,"x"],"b":{}}"#)
  }

  @Test func `each kind of value has only its own accessor`() {
    let value: JSON = ["text": "t", "number": 5, "flag": true, "nothing": .null, "list": [1, 2]]

    #expect(value["text"]?.string == "t")
    #expect(value["number"]?.integer == 5)
    #expect(value["flag"]?.bool == true)
    #expect(value["nothing"]?.isNull == true)
    #expect(value["list"]?.array?.count == 2)
    #expect(value["list"]?[1] == 2)
    #expect(value.object?.names == ["text", "number", "flag", "nothing", "list"])
    #expect(value["text"]?.integer == nil)
    #expect(value["number"]?.string == nil)
    #expect(value["flag"]?.isNull == false)
    #expect(value["list"]?[2] == nil)
    #expect(value["list"]?[-1] == nil)
    #expect(value["list"]?["a"] == nil)
    #expect(value["absent"] == nil)
    #expect(value[0] == nil)
  }

  @Test func `strings are equal only if their scalars are equal`() throws {
    let composed = JSON.string("\u{e9}")
    let decomposed = JSON.string("e\u{301}")

    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(try JSON(parsing: #"{"\u00e9":1,"e\u0301":2}"#).object?.count == 2)
  }

  @Test func `objects are equal in any order`() {
    let left: JSON = ["a": 1, "b": [2]]
    let right: JSON = ["b": [2], "a": 1]

    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != ["a": 1, "b": [3]])
    #expect(left != ["a": 1])
    #expect(left != ["a": 1, "c": [2]])
  }

  @Test(arguments: [3, 16, 17, 1_000])
  func `members keep their order and position`(count: Int) {
    var object = JSON.Object()
    for index in 0..<count { object["n\(index)"] = .number(JSON.Number(index)) }
    object["n1"] = "changed"
    object["n0"] = nil
    object["absent"] = nil

    #expect(object.count == count - 1)
    #expect(object.names == (1..<count).map { "n\($0)" })
    #expect(object["n0"] == nil)
    #expect(object["n1"] == "changed")
    #expect(object["n\(count - 1)"] == .number(JSON.Number(count - 1)))
    #expect(object.map(\.name) == object.names)
  }

  @Test(arguments: [2, 20])
  func `if a name repeats, the last value is at the first position`(count: Int) throws {
    let others = (0..<count).map { "\"n\($0)\":\($0)" }.joined(separator: ",")

    let value = try JSON(parsing: "{\"a\":1,\(others),\"a\":2}")

    #expect(value.object?.count == count + 1)
    #expect(value.object?.names.first == "a")
    #expect(value["a"] == 2)
    #expect(JSON.Object([("a", 1), ("b", 2), ("a", 3)]) == ["a": 3, "b": 2])
  }

  @Test func `pretty text is indented by two spaces`() {
    let value: JSON = ["a": [1, ["b": .null]], "c": [], "d": [:]]

    #expect(
      value.serialized(pretty: true) == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "c": [],
          "d": {}
        }
        """)
  }

  @Test func `every character survives being written and read`() throws {
    let text = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init)))

    var written: [UInt8] = []
    JSON.string(text).write(to: &written)

    #expect(try JSON(parsing: written) == .string(text))
    #expect(written.allSatisfy { $0 >= 0x20 })
  }

  @Test(arguments: 0...26)
  func `a character that must be escaped is found wherever it is`(length: Int) {
    var text = [UInt8](repeating: 0x20, count: length)
    for place in text.indices {
      for byte in 0...UInt8.max {
        text[place] = byte
        let isSpecial = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        let needsNoEscapes = text.span.needsNoEscapes
        #expect(needsNoEscapes == !isSpecial, "\(byte) at \(place)")
      }
      // Bytes of characters outside of ASCII come before the next one.
      text[place] = 0xff
    }
    let needsNoEscapes = text.span.needsNoEscapes
    #expect(needsNoEscapes)
  }
}
