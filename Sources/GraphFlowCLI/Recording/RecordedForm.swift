import GraphAPI

/// Reads the parameters of a request that this program has made.
enum RecordedForm {
  /// A parameter, or a file without its contents.
  struct Parameter {
    let name: String
    let value: String
    var fileName: String?

    /// The value without secrets; JSON stays JSON.
    func shown(without secrets: SecretMask) -> String {
      if Redaction.isSecretName(name) { return value.isEmpty ? "" : "***" }
      return String(decoding: secrets.masked(Array(value.utf8)), as: UTF8.self)
    }
  }

  static func parameters(of body: [UInt8], type: String) -> [Parameter] {
    guard let boundary = type.split(separator: "boundary=").dropFirst().first else {
      return parameters(ofForm: String(decoding: body, as: UTF8.self))
    }
    // The parts between the boundaries of a multipart body (RFC 7578).
    return body.split(separator: Array("--\(boundary)".utf8), omittingEmptySubsequences: false)
      .dropFirst().dropLast().compactMap(parameter)
  }

  static func parameters(ofForm text: String) -> [Parameter] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return Parameter(name: decoded(name), value: decoded(pair.dropFirst(name.count + 1)))
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    PercentEncoding.decoded(String(Substring(text).map { $0 == "+" ? " " : $0 }))
  }

  private static func parameter(_ part: ArraySlice<UInt8>) -> Parameter? {
    guard let gap = part.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: part[..<gap.lowerBound], as: UTF8.self)
    guard let name = quoted(after: " name=\"", in: head) else { return nil }
    if let fileName = quoted(after: " filename=\"", in: head) {
      return Parameter(name: name, value: "", fileName: fileName)
    }
    let value = part[gap.upperBound...].dropLast(2)
    return Parameter(name: name, value: String(decoding: value, as: UTF8.self))
  }

  private static func quoted(after mark: String, in head: String) -> String? {
    guard let start = head.firstRange(of: mark) else { return nil }
    return String(head[start.upperBound...].prefix { $0 != "\"" })
  }
}
