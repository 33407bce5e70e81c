/// The bytes of an answer that is being received.
///
/// A growing array would be copied again and again. After the first part, the bytes are stored in
/// further parts, and joined once the answer is complete.
struct AnswerBuffer {
  private static let partSize = 1 << 20
  /// The parts, each of about a mebibyte.
  private(set) var parts: [[UInt8]] = [[]]
  private(set) var count = 0

  /// Reserves capacity, up to the size of the first part.
  mutating func reserveCapacity(_ capacity: Int) {
    parts[0].reserveCapacity(min(capacity, Self.partSize))
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if parts[parts.count - 1].count >= Self.partSize {
      parts.append([])
      parts[parts.count - 1].reserveCapacity(Self.partSize + bytes.count)
    }
    parts[parts.count - 1].append(contentsOf: bytes)
    count += bytes.count
  }

  var joined: [UInt8] {
    guard parts.count > 1 else { return parts[0] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for part in parts { bytes += part }
    return bytes
  }
}
