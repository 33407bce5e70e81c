import GraphFlow
import JSONPath
import Testing

/// Lines of CSV as RFC 4180 defines them, and safe in a spreadsheet.
struct CSVLineTests {
  private func line(_ fields: [JSON]) -> String {
    var bytes: [UInt8] = []
    CSVLine.append(fields, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `values of all types become fields`() throws {
    let nested = try JSON(parsing: #"{"a": [1, "x"]}"#)
    let number = try JSON(parsing: "12345678901234567890.50")
    #expect(
      line(["text", number, true, .null, nested, -5])
        == "text,12345678901234567890.50,true,,\"{\"\"a\"\":[1,\"\"x\"\"]}\",-5\r\n")
  }

  @Test func `commas, quotes and line breaks are quoted, spaces are kept`() {
    #expect(
      line(["a,b", "say \"hi\"", "two\nlines", "cr\r", " x "])
        == "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"cr\r\", x \r\n")
  }

  @Test func `a line is never empty`() {
    #expect(line([.null]) == "\"\"\r\n")
    #expect(line([.null, ""]) == ",\r\n")
  }

  @Test(arguments: ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "＝1", "+49 30 1234"])
  func `a text that begins like a formula gets an apostrophe`(_ text: String) {
    #expect(line([.string(text), "x"]) == "'\(text),x\r\n")
  }

  @Test(arguments: ["-5", "-1.5e3", "a=b", "'=1", "1+1", ""])
  func `numbers and other texts stay as they are`(_ text: String) {
    #expect(line([.string(text), "x"]) == "\(text),x\r\n")
  }

  @Test func `what is written is what the reader of items reads`() throws {
    let texts = ["a,b", "\"", "x\r\ny", "", "ü", " "]
    var bytes = Array("a,b,c,d,e,f\r\n".utf8)
    CSVLine.append(texts.map(JSON.string), to: &bytes)
    let outcome = try ItemSample.read(.csv, String(decoding: bytes, as: UTF8.self))
    #expect(outcome.items.first?.object?.map(\.1) == texts.map(JSON.string))
  }
}
