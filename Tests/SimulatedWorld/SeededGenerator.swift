/// The only random generator of a world: the same seed always gives the same numbers.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct SeededGenerator: Sendable {
  private var state: UInt64

  /// A stream of numbers; the streams of one seed are independent.
  init(_ seed: UInt64, stream: UInt64) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 ^ (stream &* 0xd1b5_4a32_d192_ed03 &+ 1)
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// A number from 0 up to, but not including, the bound, which is at least 1.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// A number in the range.
  mutating func from(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// True with a probability in thousandths.
  mutating func happens(_ perMille: Int) -> Bool { below(1000) < perMille }

  /// One of the values; there is at least one.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
