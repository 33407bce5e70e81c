/// Sorted numbers in few bits: Rice's code of the gaps between them.
///
/// A gap is written as how often the typical gap goes into it, in ones and a zero, and as what is
/// left in a fixed number of bits; that is within half a bit of the best for numbers spread evenly
/// (R. F. Rice, "Some practical universal noiseless coding techniques", 1979).
struct HashRun: Sequence {
  /// How many numbers there are.
  let count: Int
  /// What the first gap is counted from.
  private let start: UInt64
  private let remainderBits: UInt64
  private var words: [UInt64]

  /// Packs numbers that are in order, none of them less than the start.
  init(_ numbers: [UInt64], from start: UInt64) {
    count = numbers.count
    self.start = start
    let gap = ((numbers.last ?? start) - start) / UInt64(Swift.max(count, 1)) | 1
    remainderBits = UInt64(63 - gap.leadingZeroBitCount)
    var writer = BitWriter(bits: count * (Int(remainderBits) + 3))
    var last = start
    for number in numbers {
      let gap = number - last
      last = number
      for _ in 0..<(gap >> remainderBits) { writer.append(1, bits: 1) }
      writer.append(0, bits: 1)
      writer.append(gap & (1 << remainderBits - 1), bits: remainderBits)
    }
    words = writer.words
  }

  func makeIterator() -> Iterator { Iterator(self) }

  /// Unpacks the numbers one by one.
  struct Iterator: IteratorProtocol {
    private let run: HashRun
    private var left: Int
    private var position: UInt64 = 0
    private var last: UInt64

    fileprivate init(_ run: HashRun) {
      self.run = run
      last = run.start
      left = run.count
    }

    mutating func next() -> UInt64? {
      guard left > 0 else { return nil }
      left -= 1
      var quotient: UInt64 = 0
      while bit() == 1 { quotient += 1 }
      last += quotient << run.remainderBits | bits(run.remainderBits)
      return last
    }

    private mutating func bit() -> UInt64 { bits(1) }

    private mutating func bits(_ count: UInt64) -> UInt64 {
      guard count > 0 else { return 0 }
      let (word, offset) = (Int(position / 64), position % 64)
      position += count
      var value = run.words[word] >> offset
      if offset + count > 64 { value |= run.words[word + 1] << (64 - offset) }
      return value & (1 << count - 1)
    }
  }
}

/// Appends numbers of any width to words of 64 bits.
private struct BitWriter {
  private(set) var words: [UInt64] = []
  private var used: UInt64 = 64

  init(bits: Int) { words.reserveCapacity(bits / 64 + 1) }

  mutating func append(_ value: UInt64, bits: UInt64) {
    guard bits > 0 else { return }
    if used == 64 {
      words.append(value)
      used = bits
      return
    }
    words[words.count - 1] |= value << used
    if used + bits > 64 {
      words.append(value >> (64 - used))
      used = used + bits - 64
    } else {
      used += bits
    }
  }
}
