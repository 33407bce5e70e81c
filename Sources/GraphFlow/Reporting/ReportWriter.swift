internal import JSONPath

/// Writes indented JSON directly as bytes, one member a line; small objects are on one line.
///
/// There is no intermediate tree, because a report of 100,000 requests has 70 MB of text.
struct ReportWriter {
  fileprivate(set) var output: [UInt8]
  private var indent = 0
  private var isFirst = true
  private var isInline = false

  init(appendingTo output: consuming [UInt8]) { self.output = output }

  mutating func finish() { output.append(UInt8(ascii: "\n")) }

  /// Writes an object, each member on its own line or all on one.
  mutating func object(isInline: Bool = false, _ body: (inout ReportWriter) -> Void) {
    nest("{", "}", isInline: isInline, body)
  }

  mutating func object(
    _ name: StaticString, isInline: Bool = false, _ body: (inout ReportWriter) -> Void
  ) {
    writeName(name)
    object(isInline: isInline, body)
  }

  /// Writes a member that is a list, each element on its own line or all on one.
  mutating func list(
    _ name: StaticString, _ elements: some Sequence<some ReportValue>, isInline: Bool = false
  ) {
    writeName(name)
    nest("[", "]", isInline: isInline) { writer in
      for element in elements {
        writer.separate()
        element.write(to: &writer)
      }
    }
  }

  /// Writes a member, null if it has no value.
  mutating func member(_ name: StaticString, _ value: (some ReportValue)?) {
    writeName(name, value == nil ? ": null" : ": ")
    value?.write(to: &self)
  }

  /// Writes a member that is the name of a case, or null.
  mutating func member(_ name: StaticString, _ value: (some RawRepresentable<String>)?) {
    member(name, value?.rawValue)
  }

  /// Writes a body as received if it is JSON, else as a string, or null.
  mutating func member(_ name: StaticString, body: [UInt8]?) {
    let isEmpty = body?.isEmpty ?? true
    writeName(name, isEmpty ? ": null" : ": ")
    if let body, !isEmpty { embed(body) }
  }

  /// Writes an arbitrary object, each member on its own line.
  mutating func members(_ name: StaticString, _ values: JSON.Object) {
    writeName(name)
    object { writer in
      for (name, value) in values {
        writer.separate()
        JSON.writeString(name, to: &writer.output)
        writer.output.append(contentsOf: ": ".utf8)
        value.write(to: &writer)
      }
    }
  }

  private mutating func nest(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, isInline: Bool,
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

  private mutating func writeName(_ name: StaticString, _ suffix: StaticString = ": ") {
    if isInline {
      JSON.writeName(name, after: isFirst ? "" : ", ", suffix, to: &output)
      isFirst = false
    } else {
      separate()
      JSON.writeName(name, after: "", suffix, to: &output)
    }
  }

  fileprivate mutating func append(_ text: StaticString) {
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

  /// A line break and more indentation than a report ever needs.
  private static let lineStart = Array("\n".utf8) + [UInt8](repeating: 0x20, count: 40)

  /// Writes an arbitrary value in compact form.
  fileprivate mutating func embed(_ value: JSON) {
    let start = output.count
    value.write(to: &output)
    // A short value cannot be deep.
    guard output.count - start > 2 * ReportWriter.depthLimit else { return }
    let text = Array(output[start...])
    output.removeSubrange(start...)
    embed(text)
  }

  /// Writes text unchanged if it is JSON, else as a string.
  private mutating func embed(_ text: [UInt8]) {
    if ReportWriter.isJSON(text) {
      let markSize = text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
      let start = output.count
      output.append(contentsOf: text[markSize...])
      if isInline, text.contains(where: \.isLineBreak) { joinLines(from: start) }
    } else {
      JSON.writeString(String(decoding: text, as: UTF8.self), to: &output)
    }
  }

  /// Joins JSON text into one line; line breaks in its strings are escaped.
  private mutating func joinLines(from start: Int) {
    for index in start..<output.count where output[index].isLineBreak { output[index] = 0x20 }
  }

  private static func isJSON(_ text: [UInt8]) -> Bool {
    (try? JSON.check(text, maximumDepth: depthLimit)) != nil
  }

  /// The greatest depth of an embedded value with which the whole report can still be parsed.
  private static let depthLimit = JSON.depthLimit - 12
}

extension UInt8 {
  fileprivate var isLineBreak: Bool { self == 0x0a || self == 0x0d }
}

/// A value that can be a member of a report, or an element of a list.
protocol ReportValue {
  func write(to writer: inout ReportWriter)
}

extension String: ReportValue {
  func write(to writer: inout ReportWriter) { JSON.writeString(self, to: &writer.output) }
}

extension Int: ReportValue {
  func write(to writer: inout ReportWriter) { JSON.writeNumber(self, to: &writer.output) }
}

extension Int64: ReportValue {
  func write(to writer: inout ReportWriter) { Int(clamping: self).write(to: &writer) }
}

extension Bool: ReportValue {
  func write(to writer: inout ReportWriter) { writer.append(self ? "true" : "false") }
}

extension JSON: ReportValue {
  func write(to writer: inout ReportWriter) { writer.embed(self) }
}

/// A time in RFC 3339; times outside the years 1970 to 9999 are clamped.
extension Timestamp: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.output.append(UInt8(ascii: "\""))
    let milliseconds = min(max(0, milliseconds), 253_402_300_799_999)
    Timestamp(milliseconds: milliseconds).write(to: &writer.output)
    writer.output.append(UInt8(ascii: "\""))
  }
}
