internal import JSONPath

/// Writes indented JSON straight into bytes, one member a line; small objects stand on one line.
///
/// A report of 100,000 requests is 70 MB of text: there are no values in between.
struct ReportWriter {
  /// The text so far.
  private(set) var output: [UInt8]
  private var indent = 0
  private var isFirst = true
  private var isInline = false

  /// Goes on after what is in `output`.
  init(appendingTo output: consuming [UInt8]) { self.output = output }

  /// Ends the last line.
  mutating func finish() { output.append(UInt8(ascii: "\n")) }

  /// Writes an object, each member on its own line or all on one.
  mutating func object(isInline: Bool = false, _ body: (inout ReportWriter) -> Void) {
    nest("{", "}", isInline: isInline, body)
  }

  /// Writes a member that is an object.
  mutating func object(
    _ name: StaticString,
    isInline: Bool = false,
    _ body: (inout ReportWriter) -> Void
  ) {
    begin(name)
    object(isInline: isInline, body)
  }

  /// Writes a member that is a list, each element on its own line or all on one.
  mutating func list<Elements: Sequence>(
    _ name: StaticString,
    _ elements: Elements,
    isInline: Bool = false,
    _ body: (Elements.Element, inout ReportWriter) -> Void
  ) {
    begin(name)
    nest("[", "]", isInline: isInline) { writer in
      for element in elements {
        writer.separate()
        body(element, &writer)
      }
    }
  }

  /// Writes a member that is a list of strings, on one line.
  mutating func strings(_ name: StaticString, _ texts: some Sequence<String>) {
    list(name, texts, isInline: true) { text, writer in
      JSON.writeString(text, to: &writer.output)
    }
  }

  /// Writes a string or null.
  mutating func member(_ name: StaticString, _ text: String?) {
    begin(name)
    guard let text else { return null() }
    JSON.writeString(text, to: &output)
  }

  /// Writes the name of a case, or null.
  mutating func member<Case: RawRepresentable<String>>(_ name: StaticString, _ value: Case?) {
    begin(name)
    guard let value else { return null() }
    JSON.writeString(value.rawValue, to: &output)
  }

  /// Writes a whole number or null.
  mutating func member(_ name: StaticString, _ number: (some BinaryInteger)?) {
    begin(name)
    guard let number else { return null() }
    JSON.writeNumber(Int(clamping: number), to: &output)
  }

  /// Writes a truth value.
  mutating func member(_ name: StaticString, _ flag: Bool) {
    begin(name)
    append(flag ? "true" : "false")
  }

  /// Writes null.
  mutating func null(_ name: StaticString) {
    begin(name)
    null()
  }

  /// Writes a moment in RFC 3339, or null; years beyond 1970 to 9999 are cut off.
  mutating func member(_ name: StaticString, _ moment: Timestamp?) {
    begin(name)
    guard let moment else { return null() }
    output.append(UInt8(ascii: "\""))
    let milliseconds = min(max(0, moment.milliseconds), 253_402_300_799_999)
    Timestamp(milliseconds: milliseconds).write(to: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Writes a value or null, compact.
  mutating func member(_ name: StaticString, _ value: JSON?) {
    begin(name)
    embed(value)
  }

  /// Writes a body as received if it is JSON, else as a string, or null.
  mutating func member(_ name: StaticString, body: [UInt8]?) {
    begin(name)
    guard let body, !body.isEmpty else { return null() }
    embed(body)
  }

  /// Writes an object from outside, each member on its own line.
  mutating func members(_ name: StaticString, _ values: JSON.Object) {
    begin(name)
    object { writer in
      for (name, value) in values {
        writer.separate()
        JSON.writeString(name, to: &writer.output)
        writer.output.append(contentsOf: ": ".utf8)
        writer.embed(value)
      }
    }
  }

  private mutating func nest(
    _ open: Unicode.Scalar,
    _ close: Unicode.Scalar,
    isInline: Bool,
    _ body: (inout ReportWriter) -> Void
  ) {
    let outer = self.isInline
    output.append(UInt8(ascii: open))
    indent += 1
    isFirst = true
    self.isInline = outer || isInline
    body(&self)
    indent -= 1
    if !isFirst, !self.isInline { breakLine() }
    output.append(UInt8(ascii: close))
    isFirst = false
    self.isInline = outer
  }

  private mutating func begin(_ name: StaticString) {
    separate()
    JSON.writeName(name, ": ", to: &output)
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  private mutating func separate() {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    if !isInline {
      breakLine()
    } else if !isFirst {
      output.append(UInt8(ascii: " "))
    }
    isFirst = false
  }

  private mutating func breakLine() {
    output.append(contentsOf: ReportWriter.lineStart[...(2 * indent)])
  }

  /// A line break and more indentation than a report has.
  private static let lineStart = Array("\n".utf8) + [UInt8](repeating: 0x20, count: 40)

  private mutating func null() { append("null") }

  private mutating func embed(_ value: JSON?) {
    guard let value else { return null() }
    let start = output.count
    value.write(to: &output)
    // Only what is long can be deep.
    guard output.count - start > 2 * ReportWriter.depthLimit else { return }
    let text = Array(output[start...])
    output.removeSubrange(start...)
    embed(text)
  }

  /// Writes text as it is if it is JSON, else as a string.
  private mutating func embed(_ text: [UInt8]) {
    if ReportWriter.isJSON(text) {
      let mark: [UInt8] = [0xef, 0xbb, 0xbf]
      let start = output.count
      output.append(contentsOf: text.dropFirst(text.starts(with: mark) ? mark.count : 0))
      if isInline { joinLines(from: start) }
    } else {
      JSON.writeString(String(decoding: text, as: UTF8.self), to: &output)
    }
  }

  /// Makes one line of JSON text; its strings hold no line breaks that are not escaped.
  private mutating func joinLines(from start: Int) {
    for index in start..<output.count where output[index] == 0x0a || output[index] == 0x0d {
      output[index] = 0x20
    }
  }

  private static func isJSON(_ text: [UInt8]) -> Bool {
    (try? JSON.Document(parsing: text, maximumDepth: depthLimit)) != nil
  }

  /// How deep an embedded value may be, so that the report as a whole can still be parsed.
  private static let depthLimit = JSON.depthLimit - 12
}
