/// Named values in the order of the request; of several with one name, the last is used.
///
/// Lookup is linear from the end. Appending does no lookup, so that a hostile query with many
/// parameters takes linear time.
struct Parameters: Sendable {
  private(set) var members: [(name: String, value: String)] = []

  init() {}

  /// Reads `name=value&…` in form encoding.
  init(form text: some Collection<UInt8>) { append(form: Array(text)[...]) }

  subscript(name: String) -> String? { members.last { $0.name == name }?.value }

  func contains(_ name: String) -> Bool { members.contains { $0.name == name } }

  mutating func append(_ name: String, _ value: String) { members.append((name, value)) }

  mutating func append(contentsOf other: Parameters) { members += other.members }

  mutating func append(form: ArraySlice<UInt8>) {
    var rest = form
    while !rest.isEmpty {
      let member = rest.prefix { $0 != UInt8(ascii: "&") }
      rest = rest[member.endIndex...].dropFirst()
      guard !member.isEmpty else { continue }
      let equals = member.firstIndex(of: UInt8(ascii: "=")) ?? member.endIndex
      append(
        FormText.decoded(member[..<equals], plusIsSpace: true),
        FormText.decoded(member[equals...].dropFirst(), plusIsSpace: true))
    }
  }

  /// Each name once, with its last value.
  var effective: [(name: String, value: String)] {
    var seen: Set<String> = []
    return members.reversed().filter { seen.insert($0.name).inserted }.reversed()
  }

  /// A parameter as a boolean: false for `false`, `0`, `no`, `null` and empty text, else true.
  func flag(_ name: String) -> Bool? {
    guard let value = self[name] else { return nil }
    return !["false", "0", "", "no", "null"].contains(value)
  }
}
