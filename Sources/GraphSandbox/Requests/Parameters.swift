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

  func contains(_ name: String) -> Bool { place(of: name) != nil }

  /// The value of a parameter in UTF-8.
  func bytes(of name: String) -> ArraySlice<UInt8>? { place(of: name).map { text[$0] } }

  /// Where the value of a parameter is.
  private func place(of name: String) -> Range<Int>? {
    // Without a copy of the name, which would retain it.
    let found = name.utf8.withContiguousStorageIfAvailable { name in
      places.last {
        $0.name.count == name.count && (name.isEmpty || text[$0.name.lowerBound] == name[0])
          && text.span.extracting($0.name).hasSameBytes(as: name.span)
      }
    }
    return (found ?? places.last { text[$0.name].elementsEqual(name.utf8) })?.value
  }

  /// Whether a name or value holds a brace, as all references do.
  var hasBraces: Bool {
    let brace = UInt8(ascii: "{")
    return text.span.firstIndex(of: brace, or: brace, from: 0) < text.count
  }

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
    swap(&found, &places)
    found.reserveCapacity(found.count + 4)
    let (end, isASCII) = text.withUnsafeMutableBufferPointer {
      Self.decode($0, from: start, &found)
    }
    swap(&found, &places)
    text.removeLast(text.count - end)
    guard !isASCII else { return }
    // Repairs what is not UTF-8.
    let members = members
    self = Parameters()
    for (name, value) in members { append(name, value) }
  }

  /// Decodes a form in place, because it never becomes longer; returns where the decoded text ends, and
  /// whether it is ASCII.
  private static func decode(
    _ text: UnsafeMutableBufferPointer<UInt8>, from start: Int,
    _ places: inout [(name: Range<Int>, value: Range<Int>)]
  ) -> (end: Int, isASCII: Bool) {
    let digits = Hexadecimal.values
    var (start, end, index) = (start, start, start)
    var middle: Int?
    var all: UInt8 = 0
    while index < text.count {
      var byte = text[index]
      index &+= 1
      // Letters, digits, and most others: the five below are before them.
      if byte > UInt8(ascii: "=") || byte > UInt8(ascii: "+") && byte < UInt8(ascii: "=") {
      } else if byte == UInt8(ascii: "&") {
        appendPlace(start, middle, end, to: &places)
        (start, middle) = (end, nil)
        continue
      } else if byte == UInt8(ascii: "="), middle == nil {
        middle = end
        continue
      } else if byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      } else if byte == UInt8(ascii: "%"), index &+ 1 < text.count {
        let (high, low) = (digits[Int(text[index])], digits[Int(text[index &+ 1])])
        if high | low < 16 { (byte, index) = (high << 4 | low, index &+ 2) }
      }
      text[end] = byte
      all |= byte
      end &+= 1
    }
    appendPlace(start, middle, end, to: &places)
    return (end, all < 128)
  }

  /// Notes a parameter, unless it is empty.
  @inline(__always)
  private static func appendPlace(
    _ start: Int, _ middle: Int?, _ end: Int,
    to places: inout [(name: Range<Int>, value: Range<Int>)]
  ) {
    guard end > start || middle != nil else { return }
    places.append((start..<(middle ?? end), (middle ?? end)..<end))
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

  /// The names for which something is true of their UTF-8.
  func names(where isIncluded: (Span<UInt8>) -> Bool) -> [String] {
    var names: [String] = []
    for place in places where isIncluded(text.span.extracting(place.name)) {
      names.append(string(place.name))
    }
    return names
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
