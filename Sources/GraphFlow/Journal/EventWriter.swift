internal import JSONPath

/// Writes the JSON text of an event; members without a value are left out.
///
/// Bytes go straight into one array, because a run of 100,000 requests writes 200,000 events.
struct EventWriter {
  /// The text so far.
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Makes room for so many bytes, which is only a guess.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Writes `{`, what the body writes, `}`, behind a comma if something stands before it.
  mutating func object(_ body: (inout EventWriter) -> Void) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Writes `[`, what the body writes, `]`.
  mutating func list(_ body: (inout EventWriter) -> Void) {
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes a member that is an object, unless there is none.
  mutating func object<Value>(
    _ name: StaticString,
    _ value: Value?,
    _ body: (Value, inout EventWriter) -> Void
  ) {
    guard let value else { return }
    begin(name)
    needsComma = false
    object { body(value, &$0) }
  }

  /// Writes a member that is a list of objects, unless it is empty.
  mutating func objects<Element>(
    _ name: StaticString,
    _ elements: [Element],
    _ body: (Element, inout EventWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    begin(name)
    list { writer in
      for element in elements { writer.object { body(element, &$0) } }
    }
  }

  /// Writes a member that is a list of strings, unless it is empty.
  mutating func strings(_ name: StaticString, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    begin(name)
    list { writer in
      for (index, text) in texts.enumerated() {
        if index > 0 { writer.bytes.append(UInt8(ascii: ",")) }
        JSON.writeString(text, to: &writer.bytes)
      }
    }
  }

  /// Writes a whole number.
  mutating func member(_ name: StaticString, _ number: (some BinaryInteger)?) {
    guard let number else { return }
    begin(name)
    JSON.writeNumber(Int(clamping: number), to: &bytes)
  }

  /// Writes a string.
  mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    begin(name)
    JSON.writeString(text, to: &bytes)
  }

  /// Writes the name of a case.
  mutating func member<Case: RawRepresentable<String>>(_ name: StaticString, _ value: Case?) {
    member(name, value?.rawValue)
  }

  /// Writes a truth value.
  mutating func member(_ name: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    begin(name)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Writes a moment, in milliseconds since 1970.
  mutating func member(_ name: StaticString, _ moment: Timestamp?) {
    member(name, moment?.milliseconds)
  }

  /// Writes a value from outside as a string that holds its JSON text.
  ///
  /// Embedded as it is, a value as deep as the parser allows would make an event that is deeper,
  /// and the journal could not be read again.
  mutating func member(_ name: StaticString, _ value: JSON?) {
    member(name, value?.serialized())
  }

  /// Writes an object from outside, each of its values as a string that holds its JSON text.
  mutating func member(_ name: StaticString, _ values: JSON.Object) {
    guard !values.isEmpty else { return }
    begin(name)
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in values.members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSON.writeString(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSON.writeString(member.value.serialized(), to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func begin(_ name: StaticString) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    JSON.writeName(name, ":", to: &bytes)
  }
}
