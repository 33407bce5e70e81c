/// Bodies compressed with gzip (RFC 1951, RFC 1952).
enum Gzip {
  private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// A valid file, which stores up to 65,535 bytes as they are.
  static func storing(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(clamping: bytes.count)
    return head + [1] + little(length) + little(~length) + bytes.prefix(Int(length))
      + little(checksum(bytes.prefix(Int(length)))) + little(UInt32(length))
  }

  /// The beginning of a file that holds about this number of zeros, and never ends.
  static func bomb(_ count: Int) -> [UInt8] {
    // A last block with fixed codes: a zero, then copies of the last byte, 258 of them with 13 bits.
    var bits: [UInt8] = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    for _ in 0..<16 { bits += copy }
    let bytes = stride(from: 0, to: 15 * 8, by: 8).map { start in
      bits[start..<start + 8].reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
    }
    // Eight copies are thirteen bytes.
    let period = Array(bytes[2..<15])
    let repeated = repeatElement(period, count: count / (8 * 258) + 1).joined()
    return head + bytes[..<2] + repeated
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32 of bytes.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0)
      }
    }
  }
}
