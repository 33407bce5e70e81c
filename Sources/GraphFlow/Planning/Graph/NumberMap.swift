/// A dictionary from integers to small values, without the cost of `Dictionary`'s hashing.
///
/// A run looks up instances and items dozens of times for each operation. Their numbers are assigned by
/// the program, not by an attacker, so a multiplicative hash with linear probing is enough (Knuth, "The
/// Art of Computer Programming", volume 3, §6.4).
struct NumberMap<Value: Sendable>: Sendable {
  /// The number in each slot; the slot count is a power of two, and at most half are used.
  private var numbers: [Int?]
  /// The value in each slot that has a number.
  private var values: [Value?]
  private(set) var count = 0

  init() {
    numbers = Array(repeating: nil, count: 8)
    values = Array(repeating: nil, count: 8)
  }

  var isEmpty: Bool { count == 0 }

  /// The numbers that have a value, in no particular order.
  var keys: [Int] { numbers.compactMap(\.self) }

  subscript(number: Int) -> Value? {
    // Through a span, because an array would return a copy.
    @inline(__always) _read { yield values.span[slot(of: number)] }
    @inline(__always) _modify {
      let slot = slot(of: number)
      yield &values[slot]
      switch (numbers[slot], values[slot] == nil) {
      case (nil, false): occupy(slot, with: number)
      case (.some, true): vacate(slot)
      default: break
      }
    }
  }

  /// The slot of a number, or the one that it would get.
  private func slot(of number: Int) -> Int {
    var slot = home(of: number)
    while let other = numbers[slot], other != number { slot = next(slot) }
    return slot
  }

  /// The preferred slot of a number: the upper bits of its product with 2^64 divided by the golden
  /// ratio.
  private func home(of number: Int) -> Int {
    let product = UInt64(bitPattern: Int64(number)) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: product >> 32) & (numbers.count - 1)
  }

  private func next(_ slot: Int) -> Int { (slot + 1) & (numbers.count - 1) }

  private mutating func occupy(_ slot: Int, with number: Int) {
    numbers[slot] = number
    count += 1
    guard 2 * count > numbers.count else { return }
    let (oldNumbers, oldValues) = (numbers, values)
    numbers = Array(repeating: nil, count: 2 * oldNumbers.count)
    values = Array(repeating: nil, count: numbers.count)
    for case (let number?, let value) in zip(oldNumbers, oldValues) {
      let slot = self.slot(of: number)
      (numbers[slot], values[slot]) = (number, value)
    }
  }

  /// Empties a slot; the numbers after it move up, unless they are in their preferred slots.
  private mutating func vacate(_ empty: Int) {
    count -= 1
    var gap = empty
    var slot = next(gap)
    while let number = numbers[slot] {
      let distance = (slot - home(of: number)) & (numbers.count - 1)
      if distance >= (slot - gap) & (numbers.count - 1) {
        numbers[gap] = number
        values.swapAt(gap, slot)
        gap = slot
      }
      slot = next(slot)
    }
    numbers[gap] = nil
  }
}
