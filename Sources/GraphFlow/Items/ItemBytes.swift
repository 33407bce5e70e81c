/// Finds the ends of items in bytes that arrive in chunks.
protocol ItemFraming {
  /// The position of the byte that ends the item; nil if these bytes do not contain it.
  ///
  /// It is then called again with more bytes, starting where it stopped.
  mutating func itemEnd(in bytes: Span<UInt8>, from start: Int) -> Int?
}

/// The bytes of a file that are in memory: the current item and the rest of its chunk.
struct ItemBytes {
  private static let chunkSize = 64 * 1024
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private let readChunk: (_ size: Int) throws -> [UInt8]
  private(set) var buffer: [UInt8] = []
  /// The first byte that has not been consumed.
  private(set) var position = 0
  /// The line of the position, from 1.
  private(set) var line = 1
  private var hasStarted = false
  private var hasEnded = false

  init(_ readChunk: @escaping (_ size: Int) throws -> [UInt8]) { self.readChunk = readChunk }

  /// The byte at the position; nil at the end of the file.
  mutating func first() throws -> UInt8? {
    try skipByteOrderMark()
    while position == buffer.count { guard try fill() else { return nil } }
    return buffer[position]
  }

  /// The bytes from the position to the end of the item, or of the file.
  mutating func item(endedBy framing: inout some ItemFraming) throws -> Range<Int> {
    try skipByteOrderMark()
    var scanned = 0
    while true {
      let end = framing.itemEnd(in: buffer.span, from: position + scanned)
      scanned = (end ?? buffer.count) - position
      guard scanned <= ItemReader.maximumItemSize else {
        throw ItemProblem(line: line, message: "the item that begins here is longer than 16 MiB")
      }
      if let end { return position..<end }
      guard try fill() else { return position..<buffer.count }
    }
  }

  /// Moves the position; the line breaks on the way are counted, unless their number is known.
  mutating func consume(to end: Int, lineBreaks: Int? = nil) {
    line += lineBreaks ?? Self.lineBreaks(in: buffer.span, position..<end)
    position = end
  }

  static func lineBreaks(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    let bytes = bytes.extracting(range)
    var count = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { count &+= 1 }
    return count
  }

  private mutating func skipByteOrderMark() throws {
    guard !hasStarted else { return }
    hasStarted = true
    while buffer.count < Self.byteOrderMark.count { guard try fill() else { break } }
    if buffer.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
  }

  /// Reads the next chunk and drops the bytes that have been consumed; false at the end.
  private mutating func fill() throws -> Bool {
    guard !hasEnded else { return false }
    let more = try readChunk(Self.chunkSize)
    hasEnded = more.isEmpty
    guard !hasEnded else { return false }
    buffer.removeSubrange(..<position)
    position = 0
    buffer += more
    return true
  }
}
