import JSONPath

/// Named values in the order of the request; of several with one name, the last is used.
///
/// All of them are parts of one decoded text. Lookup is linear from the end. Appending does no lookup,
/// so that a hostile query with many parameters takes linear time.
struct Parameters: Sendable {
  /// The names and values without separators.
  private var text: [UInt8] = []
  private var places: [(name: Range<Int>, value: Range<Int>)] = []

  init() {}

  /// Reads `name=value&…` in form encoding.
  init(form text: some Collection<UInt8>) { append(form: Array(text)[...]) }

  var count: Int { places.count }

  /// All names and values, in order.
  var members: [(name: String, value: String)] {
    places.map { (string($0.name), string($0.value)) }
  }

  subscript(name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }

  func contains(_ name: String) -> Bool { bytes(of: name) != nil }

  /// The value of a parameter in UTF-8.
  func bytes(of name: String) -> ArraySlice<UInt8>? {
    let length = name.utf8.count
    for place in places.reversed() where place.name.count == length {
      if hasText(name, at: place.name) { return text[place.value] }
    }
    return nil
  }

  private func hasText(_ name: String, at place: Range<Int>) -> Bool {
    var name = name
    return name.withUTF8 { name in text.withUnsafeBytes { $0[place].elementsEqual(name) } }
  }

  /// Whether a name or value holds a brace, as all references do.
  var hasBraces: Bool { text.contains(UInt8(ascii: "{")) }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
    let start = text.count
    text.append(contentsOf: name)
    let middle = text.count
    text.append(contentsOf: value)
    places.append((start..<middle, middle..<text.count))
  }

  mutating func append(_ name: String, _ value: String) { append(name.utf8, value.utf8) }

  mutating func append(contentsOf other: Parameters) {
    guard !places.isEmpty else {
      self = other
      return
    }
    for (name, value) in other.places { append(other.text[name], other.text[value]) }
  }

  mutating func append(form: ArraySlice<UInt8>) {
    let start = text.count
    text.append(contentsOf: form)
    var found: [(name: Range<Int>, value: Range<Int>)] = []
    found.reserveCapacity(4)
    let end = Self.decode(text.mutableSpan, from: start, &found)
    places = places.isEmpty ? found : places + found
    text.removeLast(text.count - end)
    guard text[start...].contains(where: { $0 >= 128 }) else { return }
    // Repairs what is not UTF-8.
    let members = members
    self = Parameters()
    for (name, value) in members { append(name, value) }
  }

  /// Decodes a form in place, because it never becomes longer; returns where the decoded text ends.
  private static func decode(
    _ text: consuming MutableSpan<UInt8>, from start: Int,
    _ places: inout [(name: Range<Int>, value: Range<Int>)]
  ) -> Int {
    var (start, end, index) = (start, start, start)
    var middle: Int?
    while index <= text.count {
      guard index < text.count, text[index] != UInt8(ascii: "&") else {
        if end > start || middle != nil {
          places.append((start..<(middle ?? end), (middle ?? end)..<end))
        }
        (start, middle) = (end, nil)
        index &+= 1
        continue
      }
      switch text[index] {
      case UInt8(ascii: "=") where middle == nil:
        middle = end
        index &+= 1
        continue
      case UInt8(ascii: "+"): text[end] = UInt8(ascii: " ")
      case UInt8(ascii: "%"):
        let escaped = FormText.escapedByte(in: text.span, at: index)
        text[end] = escaped ?? UInt8(ascii: "%")
        if escaped != nil { index &+= 2 }
      case let byte: text[end] = byte
      }
      end &+= 1
      index &+= 1
    }
    return end
  }

  /// Each name once, with its last value.
  var effective: Parameters {
    // Most requests have so few parameters that comparing them is faster than a table.
    var last: [ArraySlice<UInt8>: Int] = [:]
    if count > 16 { for (index, place) in places.enumerated() { last[text[place.name]] = index } }
    let isLast = { (index: Int) in
      let name = text[places[index].name]
      return last[name].map { $0 == index }
        ?? !places[(index + 1)...].contains { text[$0.name] == name }
    }
    guard !places.indices.allSatisfy(isLast) else { return self }
    var effective = Parameters()
    for index in places.indices where isLast(index) {
      effective.append(text[places[index].name], text[places[index].value])
    }
    return effective
  }

  /// The names and values in UTF-8.
  var parts: some Collection<(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)> {
    places.lazy.map { (text[$0.name], text[$0.value]) }
  }

  /// A parameter as a boolean: false for `false`, `0`, `no`, `null` and empty text, else true.
  func flag(_ name: String) -> Bool? {
    self[name].map(Self.isTrue)
  }

  static func isTrue(_ text: String) -> Bool { !["false", "0", "", "no", "null"].contains(text) }

  /// The names in a list separated by commas or spaces, or in an array of JSON; none if the
  /// parameter is missing.
  func words(_ name: String) -> [String] {
    let text = bytes(of: name) ?? []
    return text.jsonList
      ?? text.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ArraySlice<UInt8> {
  /// The elements of an array of JSON as texts; nil if it is anything else.
  ///
  /// Some clients, RestFB for example, write all lists so.
  var jsonList: [String]? {
    guard first == UInt8(ascii: "[") else { return nil }
    return (try? JSON(parsing: Array(self)))?.array?.map(\.parameterText)
  }
}
