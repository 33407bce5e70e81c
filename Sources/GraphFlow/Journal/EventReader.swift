internal import JSONPath

/// What keeps a row of a journal from being an event.
package struct EventFault: Error, Hashable {
  /// What is missing or wrong, as a fragment without a full stop.
  package var message: String
}

/// Reads the members of an event's JSON text.
///
/// Members that it does not know are ignored, so a later version may add some.
struct EventReader {
  private let value: JSON.Document.Value

  /// Reads a whole text.
  init(_ text: [UInt8]) throws(EventFault) {
    do {
      self.init(try JSON.Document(parsing: text).value)
    } catch {
      throw EventFault(message: "not JSON, \(error)")
    }
  }

  private init(_ value: JSON.Document.Value) { self.value = value }

  /// Reads a whole text that is a list of objects.
  static func list(_ text: [UInt8]) throws(EventFault) -> [EventReader] {
    guard let elements = try EventReader(text).value.elements else {
      throw EventFault(message: "not a list")
    }
    return elements.map { EventReader($0) }
  }

  /// A member that has to be there.
  func required<Value>(
    _ name: String,
    _ read: (String) throws(EventFault) -> Value?
  ) throws(EventFault) -> Value {
    guard let value = try read(name) else { throw EventFault(message: "no \(name)") }
    return value
  }

  /// A whole number.
  func integer(_ name: String) throws(EventFault) -> Int? {
    guard let member = value[name] else { return nil }
    guard let number = member.integer else { throw fault(name, "a whole number") }
    return number
  }

  /// A whole number, as milliseconds.
  func milliseconds(_ name: String) throws(EventFault) -> Int64? {
    try integer(name).map { Int64($0) }
  }

  /// A string.
  func string(_ name: String) throws(EventFault) -> String? {
    guard let member = value[name] else { return nil }
    guard let text = member.string else { throw fault(name, "a string") }
    return text
  }

  /// A case by its name.
  func choice<Case: RawRepresentable<String>>(
    _ name: String,
    of type: Case.Type = Case.self
  ) throws(EventFault) -> Case? {
    guard let text = try string(name) else { return nil }
    guard let value = Case(rawValue: text) else { throw fault(name, "a known word") }
    return value
  }

  /// A case by its name that has to be there.
  func requiredChoice<Case: RawRepresentable<String>>(
    _ name: String,
    of type: Case.Type = Case.self
  ) throws(EventFault) -> Case {
    guard let value = try choice(name, of: type) else { throw EventFault(message: "no \(name)") }
    return value
  }

  /// A truth value.
  func flag(_ name: String) throws(EventFault) -> Bool? {
    guard let member = value[name] else { return nil }
    guard let flag = member.json.bool else { throw fault(name, "true or false") }
    return flag
  }

  /// A moment between the years 1970 and 9999.
  func moment(_ name: String) throws(EventFault) -> Timestamp? {
    guard let number = try integer(name) else { return nil }
    guard (0...253_402_300_799_999).contains(number) else { throw fault(name, "a moment") }
    return Timestamp(milliseconds: Int64(number))
  }

  /// A value from outside, kept as a string that holds its JSON text.
  func json(_ name: String) throws(EventFault) -> JSON? {
    guard let text = try string(name) else { return nil }
    guard let value = try? JSON(parsing: text) else { throw fault(name, "JSON text") }
    return value
  }

  /// An object from outside, each of its values kept as text; empty where there is none.
  func values(_ name: String) throws(EventFault) -> JSON.Object {
    guard let member = value[name] else { return JSON.Object() }
    guard let members = member.members else { throw fault(name, "an object") }
    var values: [(String, JSON)] = []
    for (name, member) in members {
      guard let text = member.string, let value = try? JSON(parsing: text) else {
        throw fault(name, "JSON text")
      }
      values.append((name, value))
    }
    return JSON.Object(values)
  }

  /// A member that is an object.
  func object<Value>(
    _ name: String,
    _ read: (EventReader) throws(EventFault) -> Value
  ) throws(EventFault) -> Value? {
    guard let member = value[name] else { return nil }
    return try read(EventReader(member))
  }

  /// A list of objects; empty where there is none.
  func objects<Element>(
    _ name: String,
    _ read: (EventReader) throws(EventFault) -> Element
  ) throws(EventFault) -> [Element] {
    var result: [Element] = []
    for element in try elements(name) { result.append(try read(EventReader(element))) }
    return result
  }

  /// A list of strings; empty where there is none.
  func strings(_ name: String) throws(EventFault) -> [String] {
    var result: [String] = []
    for element in try elements(name) {
      guard let text = element.string else { throw fault(name, "a list of strings") }
      result.append(text)
    }
    return result
  }

  private func elements(_ name: String) throws(EventFault) -> [JSON.Document.Value] {
    guard let member = value[name] else { return [] }
    guard let elements = member.elements else { throw fault(name, "a list") }
    return elements
  }

  private func fault(_ name: String, _ expected: String) -> EventFault {
    EventFault(message: "\(name) is not \(expected)")
  }
}
