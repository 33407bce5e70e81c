internal import JSONPath

/// Codes the members of a JSON object: a writer or a reader.
///
/// A type describes its members once, in an initializer whose arguments are calls of a coder. Each call
/// passes the member of the value to write, or nil for reading, and returns the member. So writing and
/// reading always use the same members.
protocol MemberCoder {
  /// `Never` for writing.
  associatedtype Fault: Error

  /// A member that may be missing.
  mutating func optional<Member: MemberValue>(
    _ name: StaticString, _ member: Member?
  ) throws(Fault) -> Member?

  /// Throws an error about a missing or invalid member.
  func reject(_ message: String) throws(Fault) -> Never
}

extension MemberCoder {
  /// A member that must be present.
  mutating func required<Member: MemberValue>(
    _ name: StaticString, _ member: Member?
  ) throws(Fault) -> Member {
    guard let member = try optional(name, member) else { try reject("missing \(name)") }
    return member
  }

  /// A member that is only written if it has not its usual value.
  mutating func member<Member: MemberValue & Equatable>(
    _ name: StaticString, _ member: Member?, usually usual: Member
  ) throws(Fault) -> Member { try optional(name, member == usual ? nil : member) ?? usual }

  /// A Boolean that is only written if it is true.
  mutating func flag(_ name: StaticString, _ flag: Bool?) throws(Fault) -> Bool {
    try member(name, flag, usually: false)
  }

  /// A list that is only written if it is not empty.
  mutating func list<Element: MemberValue>(
    _ name: StaticString, _ elements: [Element]?
  ) throws(Fault) -> [Element] {
    try optional(name, elements?.isEmpty == false ? elements : nil) ?? []
  }

  /// An object of arbitrary JSON that is only written if it is not empty.
  mutating func values(_ name: StaticString, _ values: JSON.Object?) throws(Fault) -> JSON.Object {
    try optional(name, values?.isEmpty == false ? values : nil) ?? JSON.Object()
  }
}

/// A value that can be a member of an event's object.
protocol MemberValue {
  /// The expected type, as in "is not a string".
  static var expected: String { get }

  func write(to writer: inout EventWriter)

  /// Reads a value; nil if it has another type.
  static func read(_ value: JSON.Document.Value) throws(EventDecodingError) -> Self?
}

/// A type whose value is a JSON object.
protocol MemberRecord: MemberValue {
  /// Codes the members of a value to write, or nil for reading.
  init<C: MemberCoder>(_ value: Self?, _ coder: inout C) throws(C.Fault)
}

extension MemberRecord {
  static var expected: String { "an object" }

  func write(to writer: inout EventWriter) { writer.object { writer in _ = Self(self, &writer) } }

  static func read(_ value: JSON.Document.Value) throws(EventDecodingError) -> Self? {
    guard value.members != nil else { return nil }
    var reader = EventReader(value)
    return try Self(nil, &reader)
  }
}

/// Why a row of a journal cannot be decoded.
package struct EventDecodingError: Error, Hashable {
  /// What is missing or invalid, as a fragment without a full stop.
  package var message: String
}

/// Reads the members of an event's object.
///
/// Unknown members are ignored, so a later version can add some.
struct EventReader: MemberCoder {
  private let value: JSON.Document.Value

  init(_ value: JSON.Document.Value) { self.value = value }

  init(_ text: [UInt8]) throws(EventDecodingError) {
    do {
      value = try JSON.Document(parsing: text).value
    } catch {
      throw EventDecodingError(message: "not JSON, \(error)")
    }
  }

  /// Parses a text that is a list of objects.
  static func list(_ text: [UInt8]) throws(EventDecodingError) -> [EventReader] {
    guard let elements = try EventReader(text).value.elements else {
      throw EventDecodingError(message: "not a list")
    }
    return elements.map { EventReader($0) }
  }

  func optional<Member: MemberValue>(
    _ name: StaticString, _: Member?
  ) throws(EventDecodingError) -> Member? {
    guard let member = value["\(name)"] else { return nil }
    guard let read = try Member.read(member) else {
      throw EventDecodingError(message: "\(name) is not \(Member.expected)")
    }
    return read
  }

  func reject(_ message: String) throws(EventDecodingError) -> Never {
    throw EventDecodingError(message: message)
  }
}

/// Writes the JSON text of an event; members without a value are left out.
///
/// It appends to one text, because a run of 100,000 requests writes 200,000 events.
struct EventWriter: MemberCoder {
  var text = RecordText()
  private var needsComma = false

  /// Writes `{`, what the body writes, `}`.
  mutating func object(_ body: (inout EventWriter) -> Void) {
    enclosed("{", body, "}")
  }

  /// Writes `[`, what the body writes, `]`.
  mutating func list(_ body: (inout EventWriter) -> Void) {
    enclosed("[", body, "]")
  }

  /// Writes the comma between two elements.
  mutating func separate() {
    if needsComma { text.append(",") }
    needsComma = true
  }

  @inline(__always)
  @discardableResult
  mutating func optional<Member: MemberValue>(_ name: StaticString, _ member: Member?) -> Member? {
    guard let member else { return nil }
    text.append(name: name, after: ",", isFirst: !needsComma, ":")
    needsComma = true
    member.write(to: &self)
    return member
  }

  /// Never called: a value that is written has all its members.
  func reject(_ message: String) -> Never { preconditionFailure(message) }

  @inline(__always)
  private mutating func enclosed(
    _ first: StaticString, _ body: (inout EventWriter) -> Void, _ last: StaticString
  ) {
    text.append(first)
    needsComma = false
    body(&self)
    text.append(last)
    needsComma = true
  }
}
