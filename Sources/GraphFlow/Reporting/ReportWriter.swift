internal import JSONPath

/// Writes indented JSON directly as bytes, one member a line; small objects are on one line.
///
/// There is no intermediate tree, because a report of 100,000 requests has 70 MB of text.
struct ReportWriter {
  fileprivate var text: JSONText
  private var indent = 0
  private var isFirst = true
  private var isInline = false

  init(appendingTo output: consuming [UInt8]) { text = JSONText(appendingTo: output) }

  var output: [UInt8] { text.bytes }

  mutating func finish() {
    text.append(UInt8(ascii: "\n"))
    text.trim()
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
  @inline(__always)
  mutating func member(_ name: StaticString, _ value: (some ReportValue)?) {
    writeName(name, value == nil ? ": null" : ": ")
    value?.write(to: &self)
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
    let isEmpty = body?.isEmpty ?? true
    writeName(name, isEmpty ? ": null" : ": ")
    if let body, !isEmpty { embed(body[...], depth: depth) }
  }

  /// Writes an arbitrary object, each member on its own line.
  mutating func members(_ name: StaticString, _ values: JSON.Object) {
    writeName(name)
    object { writer in
      for (name, value) in values {
        writer.separate()
        writer.text.append(string: name)
        writer.text.append(": ")
        value.write(to: &writer)
      }
    }
  }

  private mutating func nest(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, isInline: Bool,
    _ body: (inout ReportWriter) -> Void
  ) {
    let outer = self.isInline
    text.append(UInt8(ascii: open))
    indent += 1
    isFirst = true
    self.isInline = outer || isInline
    body(&self)
    indent -= 1
    if !isFirst, !self.isInline { breakLine() }
    text.append(UInt8(ascii: close))
    isFirst = false
    self.isInline = outer
  }

  @inline(__always)
  private mutating func writeName(_ name: StaticString, _ suffix: StaticString = ": ") {
    if isInline {
      text.append(name: name, after: isFirst ? "" : ", ", suffix)
      isFirst = false
    } else {
      separate()
      text.append(name: name, after: "", suffix)
    }
  }

  private mutating func separate() {
    if !isFirst { text.append(UInt8(ascii: ",")) }
    if !isInline {
      breakLine()
    } else if !isFirst {
      text.append(UInt8(ascii: " "))
    }
    isFirst = false
  }

  private mutating func breakLine() {
    text.append(UInt8(ascii: "\n"))
    for _ in 0..<indent { text.append("  ") }
  }

  /// Writes an arbitrary value in compact form.
  fileprivate mutating func embed(_ value: JSON) {
    let start = text.count
    value.write(to: &text)
    // A short value cannot be deep.
    guard text.count - start > 2 * ReportWriter.depthLimit else { return }
    let bytes = text.bytes[start...]
    text.trim(to: start)
    embed(bytes, depth: nil)
  }

  /// Writes bytes unchanged, in one line, if they are JSON, else as a string.
  private mutating func embed(_ bytes: ArraySlice<UInt8>, depth: Int?) {
    let isOneLine = depth != nil
    let depth = depth ?? (try? JSON.Document(parsing: Array(bytes), recordedDepth: 0))?.depth
    guard let depth, depth <= ReportWriter.depthLimit else {
      return text.append(string: String(decoding: bytes, as: UTF8.self))
    }
    let content = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
    if isInline, !isOneLine { text.append(joiningLines: content) } else { text.append(content) }
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
    writer.text.append(UInt8(ascii: "\""))
    let milliseconds = min(max(0, milliseconds), 253_402_300_799_999)
    Timestamp(milliseconds: milliseconds).write(to: &writer.text)
    writer.text.append(UInt8(ascii: "\""))
  }
}
