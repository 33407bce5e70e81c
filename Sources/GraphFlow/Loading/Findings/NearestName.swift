/// Finds the name that someone probably meant.
package enum NearestName {
  /// Names longer than this are not compared.
  private static let maximumLength = 64

  /// The nearest of several names, if at most a third of its letters, and at most three, differ.
  ///
  /// The first of equally near names counts, so that the same file always gives the same message.
  package static func to(_ name: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(name.utf8.prefix(maximumLength + 1))
    guard wanted.count <= maximumLength, !wanted.isEmpty else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names where candidate != name {
      guard abs(candidate.utf8.count - wanted.count) <= 3 else { continue }
      let letters = Array(candidate.utf8.prefix(maximumLength + 1))
      guard letters.count <= maximumLength else { continue }
      let length = max(letters.count, wanted.count)
      // A single letter is equally near to every other letter: that is not a typo.
      let bound = min(3, length < 2 ? 0 : max(1, length / 3), (best?.distance ?? 4) - 1)
      guard bound >= 0, abs(letters.count - wanted.count) <= bound else { continue }
      let distance = distance(wanted, letters)
      if distance <= bound { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The number of letters to insert, delete, replace or swap with a neighbour, ignoring case (the
  /// restricted Damerau-Levenshtein distance).
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let left = left.map(lower)
    let right = right.map(lower)
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    // 'page_id' and 'page-id' count as the same letters.
    case UInt8(ascii: "_"): UInt8(ascii: "-")
    default: byte
    }
  }
}
