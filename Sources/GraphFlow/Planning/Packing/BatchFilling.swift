/// Fills the batches of a round with components: operations that have to share a batch.
///
/// Each batch takes the largest component that is left, and those that fill its remaining places best
/// (sums of sizes are the bits of a word). Single operations fill the empty places. If unsafe writes
/// have a limit of their own that matters, components are placed where they first fit.
struct BatchFilling: Sendable {
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
  /// The components in each batch that was filled last, without single operations.
  private(set) var contents: [[Size]] = []
  /// The steps of all fillings.
  private(set) var steps = 0

  init(_ limits: BatchLimits) {
    self.limits = limits
    counts = Array(repeating: 0, count: limits.width + 1)
    sums = Array(repeating: 1, count: limits.width + 1)
  }

  /// How many operations are left over if a number of batches is filled.
  ///
  /// `isThorough` says that an exact search follows if all might fit, and that the contents of the
  /// batches are needed.
  mutating func excess(of components: ComponentCounts, over batches: Int, isThorough: Bool) -> Int {
    contents.removeAll(keepingCapacity: true)
    steps += 4
    let (total, singles) = (components.total, components.singles)
    let isLimited = isLimited(by: total.unsafe)
    let least = max(
      total.all - batches * limits.width, total.unsafe - batches * limits.unsafeWrites, 0)
    let largest = components.largest
    let tooLarge = components.excess(over: limits)
    guard tooLarge == 0, batches > 0 else { return least + tooLarge }
    if isLimited { return placeByFirstFit(components, in: batches) }
    // A batch has fewer empty places than the largest component that it has no room for.
    if !isThorough, singles.all >= batches * (largest - 1) { return least }
    for (size, count) in components.bySize where size.all > 1 { counts[size.all] += count }
    let parts = total.all - singles.all
    let placed = placeByBestSum(in: batches, from: largest, isThorough)
    for size in 2..<largest + 1 { counts[size] = 0 }
    if isThorough, placed < parts, parts <= batches * limits.width,
      placeExactly(components, in: batches)
    {
      return least
    }
    let places = batches * limits.width - placed
    return parts - placed + max(0, singles.all - places)
  }

  /// Whether the limit of unsafe writes may decide how batches are filled.
  func isLimited(by unsafe: Int) -> Bool {
    unsafe > limits.unsafeWrites && limits.unsafeWrites < limits.width
  }

  private mutating func placeByFirstFit(_ components: ComponentCounts, in number: Int) -> Int {
    let (width, unsafeWrites) = (limits.width, limits.unsafeWrites)
    let weight = { (size: Size) in
      (max(size.all * unsafeWrites, size.unsafe * width), size.all, size.unsafe)
    }
    var fills = [Size](repeating: Size(), count: number)
    contents = Array(repeating: [], count: number)
    var excess = 0
    for (size, count) in components.bySize.sorted(by: { weight($0.size) > weight($1.size) }) {
      var (left, place) = (count, 0)
      steps += count + number
      while left > 0, place < number {
        let fill = fills[place]
        guard fill.all + size.all <= width, fill.unsafe + size.unsafe <= unsafeWrites else {
          place += 1
          continue
        }
        fills[place] = fill + size
        if size.all > 1 { contents[place].append(size) }
        left -= 1
      }
      excess += left * size.all
    }
    return excess
  }

  /// Fills batches with the counted components; returns how many operations they hold.
  private mutating func placeByBestSum(
    in number: Int, from largest: Int, _ isRecorded: Bool
  ) -> Int {
    var (largest, placed) = (largest, 0)
    for _ in 0..<number {
      while largest > 1, counts[largest] == 0 { largest -= 1 }
      if largest <= 1 { break }
      counts[largest] -= 1
      if isRecorded { contents.append([Size(all: largest)]) }
      placed += largest + takeBest(upTo: limits.width - largest, from: largest, isRecorded)
    }
    return placed
  }

  /// Takes components that fill places best, larger ones first; returns their sum.
  private mutating func takeBest(upTo places: Int, from largest: Int, _ isRecorded: Bool) -> Int {
    guard places > 1 else { return 0 }
    var reached: UInt64 = 1
    let top = min(largest, places)
    for size in 2..<max(3, top + 1) where counts[size] > 0 {
      sums[size] = reached
      reached.addSums(of: counts[size], size, upTo: places)
    }
    steps += top
    let sum = reached.bitWidth - 1 - reached.leadingZeroBitCount
    var left = sum
    for size in (2..<max(3, top + 1)).reversed() where counts[size] > 0 && size <= left {
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

  private mutating func placeExactly(_ components: ComponentCounts, in number: Int) -> Bool {
    let sizes = components.bySize.filter { $0.size.all > 1 }.flatMap {
      repeatElement($0.size.all, count: $0.count)
    }
    var search = ExactFilling(sizes, width: limits.width, steps: BatchFilling.exactSteps)
    let isFound = search.fill(number)
    steps += BatchFilling.exactSteps - search.steps
    if isFound { contents = search.batches.map { $0.map { Size(all: $0) } } }
    return isFound
  }
}

/// The components of a round by their size; a single operation is a component as well.
struct ComponentCounts: Sendable {
  typealias Size = BatchFilling.Size

  private(set) var bySize: [(size: Size, count: Int)] = []
  /// All operations.
  private(set) var total = Size()
  /// Those that have to share a batch with none.
  private(set) var singles = Size()

  /// The operations of the largest component.
  var largest: Int { bySize.reduce(1) { max($0, $1.size.all) } }

  /// Adds components of a size; a negative number removes them.
  mutating func add(_ size: Size, times: Int = 1) {
    let added = Size(all: times * size.all, unsafe: times * size.unsafe)
    total = total + added
    if size.all == 1 { singles = singles + added }
    guard let index = bySize.firstIndex(where: { $0.size == size }) else {
      return bySize.append((size, times))
    }
    bySize[index].count += times
    if bySize[index].count == 0 { bySize.remove(at: index) }
  }

  /// By how many operations components exceed a batch.
  func excess(over limits: BatchLimits) -> Int {
    bySize.reduce(0) { sum, entry in
      let (all, unsafe) = (entry.size.all - limits.width, entry.size.unsafe - limits.unsafeWrites)
      return sum + entry.count * (max(0, all) + max(0, unsafe))
    }
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
