/// Looks for a short text in bytes without decoding them (Horspool's method).
struct ByteSearch: Sendable {
  private let pattern: [UInt8]
  private let shift: [Int]

  /// What the name of every member that reports an error begins with, its quote included.
  static let errorName = ByteSearch("\"error")

  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  init(_ pattern: [UInt8]) {
    self.pattern = pattern
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
          if byte == last, matches(pattern, endingAt: end, in: bytes) { return true }
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
}
