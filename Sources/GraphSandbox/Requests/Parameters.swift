/// Named values in the order in which they came; of several with one name the last counts.
///
/// Looking up is linear and starts at the end; adding never looks, so a hostile query with many
/// parameters costs no more than its length.
struct Parameters: Sendable {
  /// Names and values by turns, perhaps among others.
  private var texts: TextList
  private var range: Range<Int>
  /// A bit for the length and the first byte of each name: most names that are asked for are not
  /// there, and no name has to be compared to see that.
  private var marks: UInt64

  init() {
    texts = TextList()
    range = 0..<0
    marks = 0
  }

  /// Reads `name=value&…` in form encoding.
  init(form text: some Collection<UInt8>) {
    self.init()
    let source = Array(text)
    append(form: source)
  }

  /// The names and values that stand by turns in a list.
  init(_ texts: TextList, _ range: Range<Int>) {
    self.texts = texts
    self.range = range
    marks = 0
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) { mark(index) }
  }

  var isEmpty: Bool { range.isEmpty }

  var count: Int { range.count / 2 }

  subscript(name: String) -> String? { place(of: name).map { texts[$0] } }

  func contains(_ name: String) -> Bool { place(of: name) != nil }

  /// The UTF-8 of a value.
  func utf8(_ name: String) -> ArraySlice<UInt8>? {
    place(of: name).map { texts.bytes[$0.range] }
  }

  var members: [(name: String, value: String)] {
    stride(from: range.lowerBound, to: range.upperBound, by: 2).map { (texts[$0], texts[$0 + 1]) }
  }

  mutating func append(_ name: String, _ value: String) {
    change {
      $0.append(name)
      $0.append(value)
    }
  }

  mutating func append(contentsOf other: Parameters) {
    change { $0.append(contentsOf: other.texts, other.range) }
  }

  mutating func append(form: [UInt8]) {
    change { $0.append(form: 0..<form.count, of: form) }
  }

  /// The members that count: each name once, with its last value.
  var effective: [(name: String, value: String)] {
    var seen: Set<String> = []
    return members.reversed().filter { seen.insert($0.name).inserted }.reversed()
  }

  /// Whether a parameter says yes (`true`, `1`, anything but the ways of saying no).
  func flag(_ name: String) -> Bool? {
    guard let value = self[name] else { return nil }
    return !["false", "0", "", "no", "null"].contains(value)
  }

  private func place(of name: String) -> TextList.Place? {
    guard marks & TextList.mark(of: name.utf8) != 0 else { return nil }
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 2
      if texts.isText(at: index, name) { return texts.places[index + 1] }
    }
    return nil
  }

  /// Adds names and values at the end of a list that holds nothing behind them.
  private mutating func change(_ add: (inout TextList) -> Void) {
    if range.upperBound != texts.count {
      texts = texts.keeping(range)
      range = 0..<range.count
    }
    let end = range.upperBound
    add(&texts)
    range = range.lowerBound..<texts.count
    for index in stride(from: end, to: range.upperBound, by: 2) { mark(index) }
  }

  private mutating func mark(_ index: Int) {
    marks |= TextList.mark(of: texts.bytes[texts.places[index].range])
  }
}

extension TextList {
  /// One bit for a text: texts whose bits differ are not the same.
  fileprivate static func mark(of text: some Collection<UInt8>) -> UInt64 {
    1 << UInt64(truncatingIfNeeded: (text.count &* 7 &+ Int(text.first ?? 0)) & 63)
  }
}
