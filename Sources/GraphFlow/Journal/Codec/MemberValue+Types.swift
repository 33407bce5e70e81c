internal import GraphAPI
internal import JSONPath

extension Int: MemberValue {
  static var expected: String { "a whole number" }
  func write(to writer: inout EventWriter) { writer.text.append(self) }
  static func read(_ value: JSON.Document.Value) -> Int? { value.integer }
}

extension Int64: MemberValue {
  static var expected: String { Int.expected }
  func write(to writer: inout EventWriter) { Int(clamping: self).write(to: &writer) }
  static func read(_ value: JSON.Document.Value) -> Int64? { value.integer.map { Int64($0) } }
}

extension Bool: MemberValue {
  static var expected: String { "true or false" }
  func write(to writer: inout EventWriter) {
    writer.text.append(self ? "true" : "false")
  }
  static func read(_ value: JSON.Document.Value) -> Bool? { value.json.bool }
}

extension String: MemberValue {
  static var expected: String { "a string" }
  func write(to writer: inout EventWriter) { writer.text.append(string: self) }
  static func read(_ value: JSON.Document.Value) -> String? { value.string }
}

/// A time between the years 1970 and 9999, in milliseconds since 1970.
extension Timestamp: MemberValue {
  static var expected: String { "a timestamp" }
  func write(to writer: inout EventWriter) { milliseconds.write(to: &writer) }
  static func read(_ value: JSON.Document.Value) -> Timestamp? {
    guard let number = value.integer, (0...253_402_300_799_999).contains(number) else { return nil }
    return Timestamp(milliseconds: Int64(number))
  }
}

extension RunID: MemberValue {
  static var expected: String { "a run's id" }
  func write(to writer: inout EventWriter) { description.write(to: &writer) }
  static func read(_ value: JSON.Document.Value) -> RunID? { value.string.flatMap(RunID.init(_:)) }
}

/// An arbitrary value, as a string with its JSON text.
///
/// If it were embedded directly, a value with the greatest depth that the parser allows would make an
/// event that is too deep to be parsed.
extension JSON: MemberValue {
  static var expected: String { "JSON text" }
  func write(to writer: inout EventWriter) { serialized().write(to: &writer) }
  static func read(_ value: JSON.Document.Value) -> JSON? {
    value.string.flatMap { try? JSON(parsing: $0) }
  }
}

/// An arbitrary object, with each of its values as JSON text.
extension JSON.Object: MemberValue {
  static var expected: String { "an object of JSON texts" }

  func write(to writer: inout EventWriter) {
    writer.object { writer in
      for member in members {
        writer.separate()
        writer.text.append(string: member.name)
        writer.text.append(":")
        member.value.write(to: &writer)
      }
    }
  }

  static func read(_ value: JSON.Document.Value) throws(EventDecodingError) -> JSON.Object? {
    guard let members = value.members else { return nil }
    var values: [(String, JSON)] = []
    for (name, member) in members {
      guard let value = JSON.read(member) else { return nil }
      values.append((name, value))
    }
    return JSON.Object(values)
  }
}

extension Array: MemberValue where Element: MemberValue {
  static var expected: String { "a list, or an element of it is not \(Element.expected)" }

  func write(to writer: inout EventWriter) {
    writer.list { writer in
      for element in self {
        writer.separate()
        element.write(to: &writer)
      }
    }
  }

  static func read(_ value: JSON.Document.Value) throws(EventDecodingError) -> [Element]? {
    guard let elements = value.elements else { return nil }
    var read: [Element] = []
    read.reserveCapacity(elements.count)
    for element in elements {
      guard let element = try Element.read(element) else { return nil }
      read.append(element)
    }
    return read
  }
}

/// An enumeration whose raw values are strings.
protocol RawMemberValue: MemberValue, RawRepresentable<String> {}

extension RawMemberValue {
  static var expected: String { "a known value" }
  func write(to writer: inout EventWriter) { rawValue.write(to: &writer) }
  static func read(_ value: JSON.Document.Value) -> Self? {
    value.string.flatMap { Self(rawValue: $0) }
  }
}

extension AttemptOutcome: RawMemberValue {}
extension Baseline.Extent: RawMemberValue {}
extension CallKind: RawMemberValue {}
extension ErrorCategory: RawMemberValue {}
extension FailureReason: RawMemberValue {}
extension OperationMethod: RawMemberValue {}
extension PackingStrategy: RawMemberValue {}
extension QuotaPause.Cause: RawMemberValue {}
extension ConcurrencyChange.Cause: RawMemberValue {}
extension RequestStatus: RawMemberValue {}
extension RunStatus: RawMemberValue {}
extension Shard: RawMemberValue {}
extension JobPhase: RawMemberValue {}
extension SkipReason: RawMemberValue {}
extension ThrottleScope: RawMemberValue {}
extension WriteApproval: RawMemberValue {}
extension TokenReading.Outcome: RawMemberValue {}
