/// Fills a given number of batches with components, by an exact search, if the steps suffice.
///
/// Each batch takes the largest component that is left, and then every choice of others that leaves
/// no more places empty than all batches together may have. What is left when a search has failed is
/// not tried again.
struct ExactFilling {
  private let width: Int
  /// The number of components by size.
  private var counts: [Int]
  /// Random numbers of the sizes; the sum of those of the components identifies what is left.
  private let marks: [UInt64]
  private var failed: Set<UInt64> = []
  /// The steps that are left.
  private(set) var steps: Int
  /// The sizes of the components in each batch.
  private(set) var batches: [[Int]] = []

  init(_ sizes: [Int], width: Int, steps: Int) {
    self.width = width
    self.steps = steps
    counts = Array(repeating: 0, count: width + 1)
    for size in sizes { counts[size] += 1 }
    var generator = SplitMix64(seed: 0)
    marks = (0...width).map { _ in generator.next() }
  }

  /// Fills a number of batches; returns whether they hold all components.
  mutating func fill(_ number: Int) -> Bool {
    let total = counts.indices.reduce(0) { $0 + $1 * counts[$1] }
    return total <= number * width && fill(number, empty: number * width - total)
  }

  private mutating func fill(_ number: Int, empty: Int) -> Bool {
    guard let largest = counts.lastIndex(where: { $0 > 0 }) else { return true }
    let mark = counts.indices.reduce(UInt64(number)) { $0 &+ marks[$1] &* UInt64(counts[$1]) }
    guard number > 0, !failed.contains(mark) else { return false }
    counts[largest] -= 1
    batches.append([largest])
    let places = width - largest
    var sums: [UInt64] = [1]
    for size in counts.indices.dropFirst() {
      sums.append(sums[size - 1])
      sums[size].addSums(of: counts[size], size, upTo: places)
    }
    if add(upTo: largest, to: places, number, empty, sums) { return true }
    batches.removeLast()
    counts[largest] += 1
    failed.insert(mark)
    return false
  }

  /// Adds components of at most a size to the last batch, and fills the batches after it.
  private mutating func add(
    upTo size: Int, to places: Int, _ number: Int, _ empty: Int, _ sums: [UInt64]
  ) -> Bool {
    steps -= 1
    guard steps > 0 else { return false }
    var size = min(size, places)
    while size > 0, counts[size] == 0 { size -= 1 }
    if size == 0 { return places <= empty && fill(number - 1, empty: empty - places) }
    let fitting = sums[size] & ((1 << UInt64(places + 1)) - 1)
    guard fitting >> UInt64(max(0, places - empty)) != 0 else { return false }
    for take in (0...min(counts[size], places / size)).reversed() {
      counts[size] -= take
      batches[batches.count - 1] += repeatElement(size, count: take)
      if add(upTo: size - 1, to: places - take * size, number, empty, sums) { return true }
      batches[batches.count - 1].removeLast(take)
      counts[size] += take
    }
    return false
  }
}
