#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A request that may still be arriving.
struct Request {
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var count = 0

  /// The kind of a request.
  enum Content {
    /// The ids of the objects that a batch reads, in its order.
    case batch([ArraySlice<UInt8>])
    /// The delays of all calls so far.
    case delays
  }

  /// Reads the bytes that have arrived.
  ///
  /// - Returns: false if the client has closed the connection.
  mutating func receive(from descriptor: Int32) -> Bool {
    if count == buffer.count { buffer += [UInt8](repeating: 0, count: count) }
    let received = buffer.withUnsafeMutableBytes { bytes in
      read(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
    }
    if received > 0 { count += received }
    return received > 0
  }

  /// Removes and returns the request once it is complete.
  mutating func take() -> Content? {
    let content: Content? = buffer.withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<count])
      guard let body = bytes.end(of: "\r\n\r\n"),
        bytes.count - body >= bytes.contentLength(before: body)
      else { return nil }
      return bytes.starts(with: "GET ".utf8) ? .delays : .batch(bytes.ids(from: body))
    }
    if content != nil { count = 0 }
    return content
  }
}

extension UnsafeRawBufferPointer {
  /// The first number after each `relative_url`, in a form with encoded fields.
  fileprivate func ids(from start: Int) -> [ArraySlice<UInt8>] {
    var ids: [ArraySlice<UInt8>] = []
    var position = start
    while let end = end(of: "relative_url", from: position) {
      position = end
      // Skips the quotation mark, the colon and spaces, which may be percent-encoded.
      while position < count, !isDigit(position) {
        position += self[position] == UInt8(ascii: "%") ? 3 : 1
      }
      let first = position
      while position < count, isDigit(position) { position += 1 }
      ids.append(ArraySlice(self[first..<position]))
    }
    return ids
  }

  private func isDigit(_ position: Int) -> Bool { (48...57).contains(self[position]) }

  /// The position after a text; nil if it does not occur.
  fileprivate func end(of text: StaticString, from start: Int = 0) -> Int? {
    guard let base = baseAddress else { return nil }
    let size = text.utf8CodeUnitCount
    var position = start
    while position + size <= count {
      guard
        let found = memchr(
          base + position,
          Int32(text.utf8Start.pointee),
          count - position - size + 1
        )
      else { return nil }
      position = UnsafeRawPointer(found) - base
      if memcmp(found, text.utf8Start, size) == 0 { return position + size }
      position += 1
    }
    return nil
  }

  /// The length of the body that a request's head announces; 0 if it announces none.
  fileprivate func contentLength(before body: Int) -> Int {
    let head = UnsafeRawBufferPointer(rebasing: self[..<body])
    guard let start = head.end(of: "ontent-Length: ") ?? head.end(of: "ontent-length: ") else {
      return 0
    }
    return head[start...].prefix { (48...57).contains($0) }.reduce(0) { $0 * 10 + Int($1 - 48) }
  }
}
