/// Some thousands of values, found by a hash; a new one takes the place of the older of two.
struct RecentTable<Value> {
  private var values: [Value?] = []
  /// Pairs of places, a power of two.
  private static var pairs: Int { 4_096 }

  /// The value with that hash that is the one.
  mutating func find(_ hash: UInt64, where isWanted: (Value) -> Bool) -> Value? {
    guard !values.isEmpty else { return nil }
    let first = Self.first(hash)
    if let value = values[first], isWanted(value) { return value }
    guard let value = values[first + 1], isWanted(value) else { return nil }
    values.swapAt(first, first + 1)
    return value
  }

  mutating func insert(_ value: Value, _ hash: UInt64) {
    if values.isEmpty { values = Array(repeating: nil, count: Self.pairs * 2) }
    let first = Self.first(hash)
    values[first + 1] = values[first]
    values[first] = value
  }

  private static func first(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (pairs - 1) * 2
  }
}

extension RecentTable: Sendable where Value: Sendable {}
