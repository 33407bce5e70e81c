/// Reads the fields of a form: those of a query, and of a body in either encoding.
package enum FormFields {
  /// A field, or a file without its contents.
  package struct Field {
    package let name: String
    package let value: String
    package var fileName: String?
  }

  package static func fields(of body: [UInt8], type: String) -> [Field] {
    guard let parameter = type.split(separator: "boundary=").dropFirst().first else {
      return fields(ofForm: String(decoding: body, as: UTF8.self))
    }
    let boundary = String(parameter.prefix { $0 != ";" }.filter { $0 != "\"" })
    // The parts between the boundaries of a multipart body (RFC 7578).
    return body.split(separator: Array("--\(boundary)".utf8), omittingEmptySubsequences: false)
      .dropFirst().dropLast().compactMap(field)
  }

  package static func fields(ofForm text: String) -> [Field] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return Field(name: decoded(name), value: decoded(pair.dropFirst(name.count + 1)))
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return PercentEncoding.decoded(String(decoding: spaced, as: UTF8.self))
  }

  private static func field(_ part: ArraySlice<UInt8>) -> Field? {
    guard let gap = part.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: part[..<gap.lowerBound], as: UTF8.self)
    guard let name = quoted(after: " name=\"", in: head) else { return nil }
    if let fileName = quoted(after: " filename=\"", in: head) {
      return Field(name: name, value: "", fileName: fileName)
    }
    let value = part[gap.upperBound...].dropLast(2)
    return Field(name: name, value: String(decoding: value, as: UTF8.self))
  }

  private static func quoted(after mark: String, in head: String) -> String? {
    guard let start = head.firstRange(of: mark) else { return nil }
    return String(head[start.upperBound...].prefix { $0 != "\"" })
  }
}
