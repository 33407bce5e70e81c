internal import JSONPath

/// Writes indented JSON directly as bytes, one member a line; small objects are on one line.
///
/// There is no intermediate tree, because a report of 100,000 requests has 70 MB of text.
struct ReportWriter {
  fileprivate var text: RecordText
  private var indent = 0
  private var isFirst = true
  private var isInline = false

  init(appendingTo output: consuming [UInt8] = []) { text = RecordText(appendingTo: output) }

  /// Ends the line, and returns the text.
  mutating func finish() -> [UInt8] {
    text.append("\n")
    return text.take()
  }

  /// Ends the line, and moves the text to the end of another one.
  mutating func finish(movingTo output: inout [UInt8]) {
    text.append("\n")
    text.move(to: &output)
  }

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
    _ name: StaticString, _ elements: some Collection<some ReportValue>, isInline: Bool = false
  ) {
    if elements.isEmpty { return writeName(name, ": []") }
    writeName(name)
    nest("[", "]", isInline: isInline) { writer in
      for element in elements {
        writer.separate()
        element.write(to: &writer)
      }
    }
  }

  /// Writes a member, null if it has no value.
  @inline(__always)
  mutating func member(_ name: StaticString, _ value: (some ReportValue)?) {
    guard let value else { return writeName(name, ": null") }
    writeName(name)
    value.write(to: &self)
  }

  /// Writes a member that is the name of a case, or null.
  @inline(__always)
  mutating func member(_ name: StaticString, _ value: (some RawRepresentable<String>)?) {
    member(name, value?.rawValue)
  }

  /// Writes a body as received if it is JSON, else as a string, or null.
  ///
  /// The depth is that of the body if it was parsed as JSON in one line.
  mutating func member(_ name: StaticString, body: [UInt8]?, depth: Int?) {
    guard let body, !body.isEmpty else { return writeName(name, ": null") }
    writeName(name)
    embed(body[...], depth: depth)
  }

  /// Writes an arbitrary object, each member on its own line.
  mutating func members(_ name: StaticString, _ values: JSON.Object) {
    writeName(name)
    object { writer in
      for (name, value) in values {
        writer.separate()
        writer.text.append(string: name)
        writer.text.append(": ")
        writer.embed(value)
      }
    }
  }

  @inline(__always)
  private mutating func nest(
    _ open: StaticString, _ close: StaticString, isInline: Bool,
    _ body: (inout ReportWriter) -> Void
  ) {
    let nesting = begin(open, isInline: isInline)
    body(&self)
    end(nesting, close)
  }

  /// What is around an object or a list.
  struct Nesting {
    fileprivate let isInline: Bool
  }

  /// Begins a member that is an object, for a value that a closure would copy.
  mutating func beginObject(_ name: StaticString? = nil, isInline: Bool = false) -> Nesting {
    if let name { writeName(name) }
    return begin("{", isInline: isInline)
  }

  mutating func endObject(_ nesting: Nesting) { end(nesting, "}") }

  @inline(__always)
  private mutating func begin(_ open: StaticString, isInline: Bool) -> Nesting {
    defer { self.isInline = self.isInline || isInline }
    text.append(open)
    indent += 1
    isFirst = true
    return Nesting(isInline: self.isInline)
  }

  @inline(__always)
  private mutating func end(_ nesting: Nesting, _ close: StaticString) {
    indent -= 1
    if !isFirst, !isInline { breakLine() }
    text.append(close)
    isFirst = false
    isInline = nesting.isInline
  }

  @inline(__always)
  private mutating func writeName(_ name: StaticString, _ suffix: StaticString = ": ") {
    if !isInline { separate() }
    text.append(name: name, after: ", ", isFirst: isFirst || !isInline, suffix)
    isFirst = false
  }

  private mutating func separate() {
    if !isFirst { text.append(isInline ? ", " : ",") }
    if !isInline { breakLine() }
    isFirst = false
  }

  private mutating func breakLine() {
    text.append("\n")
    for _ in 0..<indent { text.append("  ") }
  }

  /// Writes an arbitrary value in compact form.
  fileprivate mutating func embed(_ value: JSON) {
    var json: [UInt8] = []
    value.write(to: &json)
    // A short value cannot be deep.
    if json.count > 2 * ReportWriter.depthLimit {
      embed(json[...], depth: nil)
    } else {
      text.append(json[...])
    }
  }

  /// Writes bytes unchanged, in one line, if they are JSON, else as a string.
  private mutating func embed(_ bytes: ArraySlice<UInt8>, depth: Int?) {
    let isOneLine = depth != nil
    let depth = depth ?? (try? JSON.Document(parsing: Array(bytes), recordedDepth: 0))?.depth
    guard let depth, depth <= ReportWriter.depthLimit else {
      return text.append(string: String(decoding: bytes, as: UTF8.self))
    }
    let content = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
    if isInline, !isOneLine { appendJoiningLines(of: content) } else { text.append(content) }
  }

  /// Appends JSON in one line: line breaks in its strings are escaped.
  private mutating func appendJoiningLines(of json: ArraySlice<UInt8>) {
    var rest = json
    while true {
      let end = rest.span.firstIndex(of: UInt8(ascii: "\n"), or: UInt8(ascii: "\r"), from: 0)
      text.append(rest.prefix(end))
      if end == rest.count { break }
      text.append(" ")
      rest = rest.dropFirst(end + 1)
    }
  }

  /// The greatest depth of an embedded value with which the whole report can still be parsed.
  private static let depthLimit = JSON.depthLimit - 12
}

/// A value that can be a member of a report, or an element of a list.
protocol ReportValue {
  func write(to writer: inout ReportWriter)
}

extension String: ReportValue {
  func write(to writer: inout ReportWriter) { writer.text.append(string: self) }
}

extension Int: ReportValue {
  func write(to writer: inout ReportWriter) { writer.text.append(self) }
}

extension Int64: ReportValue {
  func write(to writer: inout ReportWriter) { Int(clamping: self).write(to: &writer) }
}

extension Bool: ReportValue {
  func write(to writer: inout ReportWriter) { writer.text.append(self ? "true" : "false") }
}

extension JSON: ReportValue {
  func write(to writer: inout ReportWriter) { writer.embed(self) }
}

/// A time in RFC 3339; times outside the years 1970 to 9999 are clamped.
extension Timestamp: ReportValue {
  func write(to writer: inout ReportWriter) {
    writer.text.append("\"")
    let milliseconds = min(max(0, milliseconds), 253_402_300_799_999)
    Timestamp(milliseconds: milliseconds).write(to: &writer.text)
    writer.text.append("\"")
  }
}
