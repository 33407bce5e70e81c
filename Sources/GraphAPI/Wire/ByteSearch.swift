/// Looks for a short text in bytes without decoding them (Horspool's method).
struct ByteSearch: Sendable {
  private let pattern: [UInt8]
  private let shift: [Int]
  private let openings: [[UInt8]]

  /// What the name of every member that reports an error begins with.
  ///
  /// In an escaped text the quote before it ends in the same byte, or is written as `\u0022`.
  static let errorName = ByteSearch("error", after: ["\"", "u0022"])

  /// A search for a text that stands behind one of these openings.
  init(_ text: String, after openings: [String]) {
    let pattern = Array(text.utf8)
    self.pattern = pattern
    self.openings = openings.map { Array($0.utf8) }
    var shift = [Int](repeating: max(pattern.count, 1), count: 256)
    for (index, byte) in pattern.enumerated().dropLast() {
      shift[Int(byte)] = pattern.count - 1 - index
    }
    self.shift = shift
  }

  /// Whether the text stands anywhere in these bytes.
  func isFound(in bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { isFound(in: $0) }
  }

  private func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let last = pattern.last else { return true }
    return pattern.withUnsafeBufferPointer { pattern in
      shift.withUnsafeBufferPointer { shift in
        var end = pattern.count - 1
        while end < bytes.count {
          let byte = bytes[end]
          if byte == last, matches(pattern, endingAt: end, in: bytes) {
            let start = end - (pattern.count - 1)
            if openings.contains(where: { isFound($0, before: start, in: bytes) }) { return true }
          }
          end += shift[Int(byte)]
        }
        return false
      }
    }
  }

  private func matches(
    _ pattern: UnsafeBufferPointer<UInt8>,
    endingAt end: Int,
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let start = end - (pattern.count - 1)
    return pattern.indices.allSatisfy { bytes[start + $0] == pattern[$0] }
  }

  private func isFound(
    _ opening: [UInt8],
    before end: Int,
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard opening.count <= end else { return false }
    return bytes[(end - opening.count)..<end].elementsEqual(opening)
  }
}
