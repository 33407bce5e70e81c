internal import JSONPath

/// Percent-encoding for queries, form bodies and URLs (RFC 3986 section 2).
package enum PercentEncoding {
  /// The text with all but unreserved characters encoded; a space becomes `%20`.
  package static func encoded(_ text: String) -> String {
    if text.utf8.withContiguousStorageIfAvailable({ $0.allSatisfy(isUnreserved) }) == true {
      return text
    }
    var output: [UInt8] = []
    append(text.utf8, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends bytes with all but unreserved characters encoded.
  static func append(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
    let isAppended: Void? = bytes.withContiguousStorageIfAvailable { append($0, to: &output) }
    if isAppended == nil { append(Array(bytes), to: &output) }
  }

  private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    // Most names and ids need no encoding.
    if bytes.allSatisfy(isUnreserved) { return output.append(contentsOf: bytes) }
    // Without a branch for each byte: in JSON it would be mispredicted at every quote.
    forms.withUnsafeBufferPointer { forms in
      withUnsafeTemporaryAllocation(byteCount: 3 * bytes.count + 1, alignment: 1) { room in
        var count = 0
        for byte in bytes {
          let form = forms[Int(byte)]
          room.storeBytes(of: form.littleEndian, toByteOffset: count, as: UInt32.self)
          count &+= Int(form >> 24)
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<count]))
      }
    }
  }

  /// The encoded form of each byte: up to three bytes, the first one lowest, and their number on top.
  private static let forms: [UInt32] = (0...UInt8.max).map { byte in
    if isUnreserved(byte) { return 1 << 24 | UInt32(byte) }
    let digits = [byte >> 4, byte & 15].map { UInt32(Array("0123456789ABCDEF".utf8)[Int($0)]) }
    return 3 << 24 | digits[1] << 16 | digits[0] << 8 | UInt32(UInt8(ascii: "%"))
  }

  /// Appends fields as in a form or a query: `name=value&name=value`.
  static func append(
    _ fields: some Sequence<(String, some Collection<UInt8>)>, to output: inout [UInt8]
  ) {
    var isFirst = true
    for (name, value) in fields {
      if !isFirst { output.append(UInt8(ascii: "&")) }
      isFirst = false
      append(name.utf8, to: &output)
      output.append(UInt8(ascii: "="))
      append(value, to: &output)
    }
  }

  /// A URL with all invalid characters encoded, and everything else unchanged.
  ///
  /// A number sign is encoded too, because a fragment would not be sent.
  package static func repaired(_ text: String) -> String {
    guard text.utf8.contains(where: isInvalid) else { return text }
    var output: [UInt8] = []
    for byte in text.utf8 {
      if isInvalid(byte) { append(CollectionOfOne(byte), to: &output) } else { output.append(byte) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isInvalid(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F...0xFF, UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// The decoded text; a percent sign without two digits is unchanged.
  package static func decoded(_ text: String) -> String {
    guard text.holds("%") else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
      {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  @inline(__always)
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte < 0x80 && unreserved.utf8Start[Int(byte)] == UInt8(ascii: "x")
  }

  /// An `x` for each ASCII character that is a letter, a digit or one of `-._~`.
  private static let unreserved: StaticString = """
    .............................................xx.xxxxxxxxxx......\
    .xxxxxxxxxxxxxxxxxxxxxxxxxx....x.xxxxxxxxxxxxxxxxxxxxxxxxxx...x.
    """
}
