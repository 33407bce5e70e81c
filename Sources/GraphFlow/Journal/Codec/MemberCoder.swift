internal import JSONPath

/// Goes over the members of a JSON object, either to write them or to read them.
///
/// A type describes its members once, as an initializer whose arguments are calls of a coder. Each
/// call passes the member of the value that is written, or nil while reading, and returns the member.
/// So what is written and what is read cannot differ.
protocol MemberCoder {
  /// `Never` while writing.
  associatedtype Fault: Error

  /// A member that may be missing.
  mutating func optional<Member: MemberValue>(
    _ name: StaticString,
    _ member: Member?
  ) throws(Fault) -> Member?

  /// Ends the reading.
  func fail(_ message: String) throws(Fault) -> Never
}

extension MemberCoder {
  /// A member that is always there.
  mutating func required<Member: MemberValue>(
    _ name: StaticString,
    _ member: Member?
  ) throws(Fault) -> Member {
    guard let member = try optional(name, member) else { try fail("no \(name)") }
    return member
  }

  /// A truth value that is only written if it is true.
  mutating func flag(_ name: StaticString, _ flag: Bool?) throws(Fault) -> Bool {
    try optional(name, flag == true ? true : nil) ?? false
  }

  /// A list that is only written if it is not empty.
  mutating func list<Element: MemberValue>(
    _ name: StaticString,
    _ elements: [Element]?
  ) throws(Fault) -> [Element] {
    try optional(name, elements?.isEmpty == false ? elements : nil) ?? []
  }

  /// An object from outside that is only written if it is not empty.
  mutating func values(
    _ name: StaticString,
    _ values: JSON.Object?
  ) throws(Fault) -> JSON.Object {
    try optional(name, values?.isEmpty == false ? values : nil) ?? JSON.Object()
  }
}

/// What can be a member of an event's object.
protocol MemberValue {
  /// What the value has to be, as in "is not a string".
  static var expected: String { get }

  func write(to writer: inout EventWriter)

  /// Reads a value; nil if it is of another shape.
  static func read(_ value: JSON.Document.Value) throws(EventFault) -> Self?
}

/// A type whose value is a JSON object.
protocol MemberRecord: MemberValue {
  /// Goes over the members.
  ///
  /// - Parameters:
  ///   - value: what is written; nil while reading.
  ///   - coder: writes or reads.
  /// - Throws: what is missing or wrong; nothing while writing.
  init<C: MemberCoder>(_ value: Self?, _ coder: inout C) throws(C.Fault)
}

extension MemberRecord {
  static var expected: String { "an object" }

  func write(to writer: inout EventWriter) {
    writer.object { writer in _ = Self(self, &writer) }
  }

  static func read(_ value: JSON.Document.Value) throws(EventFault) -> Self? {
    guard value.members != nil else { return nil }
    var reader = EventReader(value)
    return try Self(nil, &reader)
  }
}

/// What keeps a row of a journal from being an event.
package struct EventFault: Error, Hashable {
  /// What is missing or wrong, as a fragment without a full stop.
  package var message: String
}

/// Reads the members of an event's object.
///
/// Members that it does not know are ignored, so a later version may add some.
struct EventReader: MemberCoder {
  private let value: JSON.Document.Value

  /// Reads from a part of a text.
  init(_ value: JSON.Document.Value) { self.value = value }

  /// Reads a whole text.
  init(_ text: [UInt8]) throws(EventFault) {
    do {
      value = try JSON.Document(parsing: text).value
    } catch {
      throw EventFault(message: "not JSON, \(error)")
    }
  }

  /// Reads a whole text that is a list of objects.
  static func list(_ text: [UInt8]) throws(EventFault) -> [EventReader] {
    guard let elements = try EventReader(text).value.elements else {
      throw EventFault(message: "not a list")
    }
    return elements.map { EventReader($0) }
  }

  func optional<Member: MemberValue>(
    _ name: StaticString,
    _: Member?
  ) throws(EventFault) -> Member? {
    guard let member = value["\(name)"] else { return nil }
    guard let read = try Member.read(member) else {
      throw EventFault(message: "\(name) is not \(Member.expected)")
    }
    return read
  }

  func fail(_ message: String) throws(EventFault) -> Never { throw EventFault(message: message) }
}

/// Writes the JSON text of an event; members without a value are left out.
///
/// Bytes go straight into one array, because a run of 100,000 requests writes 200,000 events.
struct EventWriter: MemberCoder {
  var bytes: [UInt8] = []
  private var needsComma = false

  /// Makes room for so many bytes, which is only a guess.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Writes `{`, what the body writes, `}`.
  mutating func object(_ body: (inout EventWriter) -> Void) {
    enclosed(UInt8(ascii: "{"), body, UInt8(ascii: "}"))
  }

  /// Writes `[`, what the body writes, `]`.
  mutating func list(_ body: (inout EventWriter) -> Void) {
    enclosed(UInt8(ascii: "["), body, UInt8(ascii: "]"))
  }

  /// Writes the comma between two elements.
  mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  mutating func optional<Member: MemberValue>(_ name: StaticString, _ member: Member?) -> Member? {
    guard let member else { return nil }
    separate()
    JSON.writeName(name, ":", to: &bytes)
    member.write(to: &self)
    return member
  }

  /// A value that is written has all its members.
  func fail(_ message: String) -> Never { preconditionFailure(message) }

  private mutating func enclosed(_ first: UInt8, _ body: (inout EventWriter) -> Void, _ last: UInt8)
  {
    bytes.append(first)
    needsComma = false
    body(&self)
    bytes.append(last)
    needsComma = true
  }
}
