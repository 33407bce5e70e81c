/// A set of integers, stored as ranges.
package struct NumberRanges: Hashable, Sendable {
  /// The ranges, in ascending order, with gaps between them.
  private(set) var ranges: [ClosedRange<Int>] = []

  init() {}

  init(_ numbers: some Collection<Int>) { for number in numbers.sorted() { append(number) } }

  var isEmpty: Bool { ranges.isEmpty }

  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  package var numbers: [Int] { ranges.flatMap(Array.init) }

  /// Adds a number that is not less than the greatest one.
  mutating func append(_ number: Int) { append(number...number) }

  /// Adds a range that does not start before the last one.
  private mutating func append(_ range: ClosedRange<Int>) {
    guard let last = ranges.last, range.lowerBound <= last.upperBound + 1 else {
      return ranges.append(range)
    }
    ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
  }

  mutating func insert(_ number: Int) {
    if let last = ranges.last, number < last.upperBound {
      self = union(NumberRanges([number]))
    } else {
      append(number)
    }
  }

  func union(_ other: NumberRanges) -> NumberRanges {
    if isEmpty || self == other { return other }
    if other.isEmpty { return self }
    var union = NumberRanges()
    for range in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      union.append(range)
    }
    return union
  }

  /// The ranges as text: `1–40, 43`.
  var text: String { ranges.map(\.numbersText).joined(separator: ", ") }

  /// The ranges after a noun: `call 3`, `calls 1–40, 43`.
  func text(of noun: String) -> String { "\(noun)\(count == 1 ? "" : "s") \(text)" }
}

extension ClosedRange<Int> {
  /// The range after a noun: `round 3`, `rounds 1–40`.
  func text(of noun: String) -> String { "\(noun)\(count == 1 ? "" : "s") \(numbersText)" }

  /// `1–40`, or one number.
  fileprivate var numbersText: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)"
  }
}
