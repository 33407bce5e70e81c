/// Numbers in ascending order, kept as the ranges that they form.
package struct NumberRanges: Hashable, Sendable {
  /// The ranges, in order, with gaps between them.
  package private(set) var ranges: [ClosedRange<Int>] = []

  /// No numbers.
  package init() {}

  /// The numbers of a collection, in any order.
  init(_ numbers: some Collection<Int>) {
    for number in numbers.sorted() { append(number) }
  }

  /// Whether there are none.
  package var isEmpty: Bool { ranges.isEmpty }

  /// How many numbers there are.
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Every number.
  package var numbers: [Int] { ranges.flatMap(Array.init) }

  /// Adds a number that is not below the greatest one.
  mutating func append(_ number: Int) { append(number...number) }

  /// Adds a range that does not begin below the last one.
  private mutating func append(_ range: ClosedRange<Int>) {
    guard let last = ranges.last, range.lowerBound <= last.upperBound + 1 else {
      return ranges.append(range)
    }
    ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
  }

  /// The numbers and one more, wherever it lies.
  func adding(_ number: Int) -> NumberRanges {
    if let last = ranges.last, number < last.upperBound { return union(NumberRanges([number])) }
    var numbers = self
    numbers.append(number)
    return numbers
  }

  /// The numbers of both.
  func union(_ other: NumberRanges) -> NumberRanges {
    if isEmpty || self == other { return other }
    if other.isEmpty { return self }
    var union = NumberRanges()
    for range in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      union.append(range)
    }
    return union
  }

  /// The ranges as people read them: `1–40, 43`.
  package var text: String { ranges.map(\.numbersText).joined(separator: ", ") }

  /// The same with what is numbered: `call 3`, `calls 1–40, 43`.
  func text(of noun: String) -> String { "\(noun)\(count == 1 ? "" : "s") \(text)" }
}

extension ClosedRange<Int> {
  /// The range with what is numbered: `round 3`, `rounds 1–40`.
  func text(of noun: String) -> String { "\(noun)\(count == 1 ? "" : "s") \(numbersText)" }

  /// A range as people read it: `1–40`, or one number.
  var numbersText: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)"
  }
}
