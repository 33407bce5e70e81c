/// Fills batches with components: operations that have to share a batch.
///
/// The components are counted by size. Each batch takes the largest component that is left, and those
/// that fill its remaining places best (sums of sizes are the bits of a word). Single operations fill
/// the empty places. If unsafe writes have a limit of their own that matters, components are placed
/// where they first fit.
struct BatchFilling: Sendable {
  /// What the batches of a round cost.
  struct Cost: Sendable {
    /// The number of batches.
    var calls = 0
    /// The fewest batches that could hold the operations if components could be cut.
    var least = 0
    /// By how much components exceed a batch, and how many orders Graph could not be told.
    var faults = 0
  }

  /// A number of operations, and of the unsafe writes among them.
  struct Size: Hashable, Sendable {
    var all = 0
    var unsafe = 0

    static func + (one: Size, other: Size) -> Size {
      Size(all: one.all + other.all, unsafe: one.unsafe + other.unsafe)
    }
  }

  /// The most steps of one exact search.
  private static let exactSteps = 100_000

  let limits: BatchLimits
  /// The number of components by size.
  private var counts: [Int]
  private var sums: [UInt64]
  /// The components in each batch of the last cost.
  private(set) var contents: [[Size]] = []
  /// How full these batches are.
  private var fills: [Size] = []
  /// The number of batches of the last cost by their fill, from 0 to the width.
  private(set) var byFill: [Int32]
  /// The steps of exact searches.
  private(set) var steps = 0

  init(_ limits: BatchLimits) {
    self.limits = limits
    counts = Array(repeating: 0, count: limits.width + 1)
    sums = Array(repeating: 1, count: limits.width + 1)
    byFill = Array(repeating: 0, count: limits.width + 1)
  }

  /// Whether the limit of unsafe writes may decide how batches are filled.
  func isLimited(by unsafe: Int) -> Bool {
    unsafe > limits.unsafeWrites && limits.unsafeWrites < limits.width
  }

  /// The cost of components and single operations.
  ///
  /// `isThorough` says that an exact search follows if the batches might be fewer, and that the
  /// contents of the batches are needed.
  mutating func cost(of components: [Size], _ singles: Size, isThorough: Bool) -> Cost {
    for fill in byFill.indices { byFill[fill] = 0 }
    fills.removeAll(keepingCapacity: true)
    contents.removeAll(keepingCapacity: true)
    let all = components.reduce(singles, +)
    let least = load(all).dividedUp(by: limits.width)
    let faults = components.reduce(0) {
      $0 + max(0, $1.all - limits.width) + max(0, $1.unsafe - limits.unsafeWrites)
    }
    guard faults == 0, !components.isEmpty else {
      return Cost(calls: addSingles(all), least: least, faults: faults)
    }
    if isLimited(by: all.unsafe) {
      placeByFirstFit(components)
    } else {
      placeByBestSum(components, isThorough)
      let fewest = max(least, components.reduce(0) { $0 + $1.all }.dividedUp(by: limits.width))
      if isThorough, fills.count > fewest { placeExactly(components, in: fewest) }
    }
    return Cost(calls: fillUp(singles), least: least)
  }

  /// The operations that would fill the same batches if there was no limit of unsafe writes.
  private func load(_ size: Size) -> Int {
    max(size.all, (size.unsafe * limits.width).dividedUp(by: limits.unsafeWrites))
  }

  /// Counts batches of single operations.
  private mutating func addSingles(_ singles: Size) -> Int {
    let (full, rest) = load(singles).quotientAndRemainder(dividingBy: limits.width)
    byFill[limits.width] += Int32(truncatingIfNeeded: full)
    if rest > 0 { byFill[rest] += 1 }
    return full + (rest > 0 ? 1 : 0)
  }

  private mutating func placeByFirstFit(_ components: [Size]) {
    let (width, unsafeWrites) = (limits.width, limits.unsafeWrites)
    let weight = { (size: Size) in
      (max(size.all * unsafeWrites, size.unsafe * width), size.all, size.unsafe)
    }
    for size in components.sorted(by: { weight($0) > weight($1) }) {
      let place = fills.firstIndex {
        $0.all + size.all <= width && $0.unsafe + size.unsafe <= unsafeWrites
      }
      if let place {
        fills[place] = fills[place] + size
        contents[place].append(size)
      } else {
        fills.append(size)
        contents.append([size])
      }
    }
  }

  private mutating func placeByBestSum(_ components: [Size], _ isRecorded: Bool) {
    var largest = 0
    for size in components {
      counts[size.all] += 1
      largest = max(largest, size.all)
    }
    while true {
      while largest > 0, counts[largest] == 0 { largest -= 1 }
      if largest == 0 { return }
      counts[largest] -= 1
      if isRecorded { contents.append([Size(all: largest)]) }
      let more = takeBest(upTo: limits.width - largest, from: largest, isRecorded)
      fills.append(Size(all: largest + more))
    }
  }

  /// Takes components that fill places best, larger ones first; returns their sum.
  private mutating func takeBest(upTo places: Int, from largest: Int, _ isRecorded: Bool) -> Int {
    guard places > 0 else { return 0 }
    var reached: UInt64 = 1
    let top = min(largest, places)
    for size in 1...top where counts[size] > 0 {
      sums[size] = reached
      reached.addSums(of: counts[size], size, upTo: places)
    }
    let sum = reached.bitWidth - 1 - reached.leadingZeroBitCount
    var left = sum
    for size in (1...top).reversed() where counts[size] > 0 && size <= left {
      // As many of this size as leave a sum that smaller ones reach.
      var take = min(counts[size], left / size)
      while sums[size] & (1 << UInt64(left - take * size)) == 0 { take -= 1 }
      counts[size] -= take
      left -= take * size
      if isRecorded {
        contents[contents.count - 1] += repeatElement(Size(all: size), count: take)
      }
    }
    return sum
  }

  private mutating func placeExactly(_ components: [Size], in number: Int) {
    var search = ExactFilling(
      components.map(\.all), width: limits.width, steps: BatchFilling.exactSteps)
    let isFound = search.fill(number)
    steps += BatchFilling.exactSteps - search.steps
    guard isFound else { return }
    contents = search.batches.map { $0.map { Size(all: $0) } }
    fills = contents.map { $0.reduce(Size(), +) }
  }

  /// Adds single operations to the batches; returns the number of batches.
  private mutating func fillUp(_ singles: Size) -> Int {
    var (unsafe, safe) = (singles.unsafe, singles.all - singles.unsafe)
    for fill in fills {
      let more = min(unsafe, limits.width - fill.all, limits.unsafeWrites - fill.unsafe)
      let rest = min(safe, limits.width - fill.all - more)
      unsafe -= more
      safe -= rest
      byFill[min(load(fill + Size(all: more + rest, unsafe: more)), limits.width)] += 1
    }
    return fills.count + addSingles(Size(all: safe + unsafe, unsafe: unsafe))
  }
}

extension UInt64 {
  /// Adds the sums with up to `count` numbers of one size; bit n is set if n is a sum.
  mutating func addSums(of count: Int, _ size: Int, upTo limit: Int) {
    let mask: UInt64 = (1 << UInt64(limit + 1)) - 1
    for _ in 0..<Swift.min(count, limit / size) {
      let next = (self | self << UInt64(size)) & mask
      if next == self { return }
      self = next
    }
  }
}

/// How many batches are how full: in each round, and in all of them.
struct FillTable: Sendable {
  private let width: Int
  private var rounds: [Int32]
  private var total: [Int32]
  /// What changed rounds had before.
  private var old: [Int32] = []

  init(rounds count: Int, width: Int) {
    self.width = width
    rounds = Array(repeating: 0, count: count * (width + 1))
    total = Array(repeating: 0, count: width + 1)
  }

  mutating func set(_ round: Int, to byFill: [Int32]) {
    let start = round * (width + 1)
    for fill in 0...width {
      old.append(rounds[start + fill])
      total[fill] += byFill[fill] - rounds[start + fill]
      rounds[start + fill] = byFill[fill]
    }
  }

  /// Restores the last round that was set and neither restored nor accepted.
  mutating func restore(_ round: Int) {
    let start = round * (width + 1)
    for fill in (0...width).reversed() {
      let before = old.popLast() ?? 0
      total[fill] += before - rounds[start + fill]
      rounds[start + fill] = before
    }
  }

  mutating func accept() { old.removeAll(keepingCapacity: true) }

  /// The operations that are left over if only a number of batches may be sent, the fullest.
  func excess(over calls: Int) -> Int {
    var left = calls
    var excess = 0
    for fill in (0...width).reversed() where total[fill] > 0 {
      let count = Int(total[fill])
      excess += fill * max(0, count - left)
      left = max(0, left - count)
    }
    return excess
  }
}
