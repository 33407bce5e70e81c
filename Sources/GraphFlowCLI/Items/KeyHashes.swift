/// Finds out which keys occur twice without keeping them: 44 bits of each, packed.
///
/// Keys that share them by chance are told apart when the file is looked at again. What is kept has
/// a limit, whatever the number of keys: beyond it only the lower part of the hashes is kept, and the
/// keys are gone through again for the rest, part by part.
struct KeyHashes {
  /// Of so many bits a million different keys have two alike with a chance of three in a hundred.
  private static let bits = 44
  private static let greatest: UInt64 = 1 << bits - 1

  /// How many hashes are kept at most, and how many of them are packed at a time.
  private let limit: Int
  private let runLength: Int
  /// Those that are kept on this way through the keys.
  private var part: ClosedRange<UInt64> = 0...KeyHashes.greatest
  /// The latest, as they came.
  private var latest: [UInt64] = []
  private var runs: [HashRun] = []
  private var keptCount = 0
  /// How many keys there are, as soon as they have been gone through once.
  private var keyCount = 0
  private var isFirstWay = true
  /// The hashes that occur more than once, in order; different keys may share one, so look again.
  private(set) var repeated: [UInt64] = []

  /// Prepares for keys, of which so many hashes are kept at a time, in runs of so many.
  ///
  /// A million and a half take about 6 MB.
  init(limit: Int = 1_500_000, run: Int = 32_768) {
    self.limit = max(limit, 1)
    runLength = max(run, 1)
  }

  /// Takes the next key.
  mutating func append(_ key: String) {
    if isFirstWay { keyCount += 1 }
    let hash = KeyHashes.hash(of: key)
    guard part.contains(hash) else { return }
    latest.append(hash)
    if latest.count == runLength { pack() }
  }

  /// Ends a way through the keys; true if they have to be gone through once more.
  mutating func needsAnotherWay() -> Bool {
    pack()
    compareRuns()
    runs = []
    keptCount = 0
    isFirstWay = false
    guard part.upperBound < KeyHashes.greatest else { return false }
    // A tenth less than there is room for, since hashes are spread evenly only by and large.
    let share = Double(limit) * 0.9 / Double(max(keyCount, 1))
    let width = min(max(share, 0), 1) * Double(KeyHashes.greatest)
    let start = part.upperBound + 1
    part = start...(start + min(UInt64(width), KeyHashes.greatest - start))
    return true
  }

  /// Whether a key's hash occurred more than once.
  func isRepeated(_ key: String) -> Bool {
    let hash = KeyHashes.hash(of: key)
    var (low, high) = (0, repeated.count)
    while low < high {
      let middle = (low + high) / 2
      if repeated[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < repeated.count && repeated[low] == hash
  }

  /// The hash of a key; the same all through the process and in no other.
  ///
  /// Texts that Unicode holds to be equal have the same.
  private static func hash(of key: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(key)
    return UInt64(truncatingIfNeeded: hasher.finalize()) & greatest
  }
}

extension KeyHashes {
  /// Makes a run of the latest hashes, and keeps a smaller part of all if there are too many.
  private mutating func pack() {
    latest.sort()
    note(repeatedOf: latest)
    keep(latest.withoutRepetition())
    latest.removeAll(keepingCapacity: true)
    while keptCount > limit, part.lowerBound < part.upperBound {
      part = part.lowerBound...(part.lowerBound + (part.upperBound - part.lowerBound) / 2)
      let (old, end) = (runs, part.upperBound)
      runs = []
      keptCount = 0
      for run in old { keep(Array(run.prefix { $0 <= end })) }
    }
  }

  private mutating func keep(_ hashes: [UInt64]) {
    guard !hashes.isEmpty else { return }
    runs.append(HashRun(hashes, from: part.lowerBound))
    keptCount += hashes.count
  }

  /// Goes through all runs at once, slice by slice, to find what is in two of them.
  private mutating func compareRuns() {
    let slices = UInt64(keptCount / runLength + 1)
    let width = (part.upperBound - part.lowerBound) / slices + 1
    var readers = runs.map { (hashes: $0.makeIterator(), next: UInt64?.none) }
    for index in readers.indices { readers[index].next = readers[index].hashes.next() }
    var slice: [UInt64] = []
    for number in 1...slices {
      let end = part.lowerBound + number * width
      for index in readers.indices {
        while let hash = readers[index].next, hash < end {
          slice.append(hash)
          readers[index].next = readers[index].hashes.next()
        }
      }
      slice.sort()
      note(repeatedOf: slice)
      slice.removeAll(keepingCapacity: true)
    }
  }

  private mutating func note(repeatedOf hashes: [UInt64]) {
    let found = zip(hashes, hashes.dropFirst()).filter { $0 == $1 }.map(\.0)
    guard !found.isEmpty else { return }
    repeated = (repeated + found).sorted().withoutRepetition()
  }
}

extension [UInt64] {
  /// Numbers that are in order, each of them once.
  fileprivate func withoutRepetition() -> [UInt64] {
    var once: [UInt64] = []
    once.reserveCapacity(count)
    for number in self where number != once.last { once.append(number) }
    return once
  }
}
