/// The bytes of an answer while they come in.
///
/// An array that grows would be copied into one of twice its size again and again. Beyond the first
/// part the bytes are held in parts of their own, and joined once the answer is whole.
struct AnswerBuffer {
  private static let partSize = 1 << 20
  private var parts: [[UInt8]] = [[]]
  /// How many bytes are held.
  private(set) var count = 0

  /// Makes room for as many bytes at once, but not for more than the first part holds.
  mutating func reserveCapacity(_ capacity: Int) {
    parts[0].reserveCapacity(min(capacity, Self.partSize))
  }

  /// Adds bytes, in order.
  mutating func append(_ bytes: some Collection<UInt8>) {
    if parts[parts.count - 1].count >= Self.partSize {
      parts.append([])
      parts[parts.count - 1].reserveCapacity(Self.partSize + bytes.count)
    }
    parts[parts.count - 1].append(contentsOf: bytes)
    count += bytes.count
  }

  /// The parts, each of about a mebibyte.
  var chunks: [[UInt8]] { parts }

  /// Everything in one array.
  var joined: [UInt8] {
    guard parts.count > 1 else { return parts[0] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for part in parts { bytes += part }
    return bytes
  }
}
