/// A header's value with parameters: `form-data; name="source"; filename="a.png"`.
struct HeaderValue: Sendable {
  /// The text before the first semicolon, in lower case.
  let value: String
  /// The parameters by their names in lower case, without quotes and backslashes.
  let parameters: [String: String]

  init(_ text: String) {
    var pieces: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      switch byte {
      case _ where isEscaped:
        pieces[pieces.count - 1].append(byte)
        isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ";") where !isQuoted: pieces.append([])
      default: pieces[pieces.count - 1].append(byte)
      }
    }
    value = String(decoding: pieces.removeFirst(), as: UTF8.self).trimmed.lowercased()
    var parameters: [String: String] = [:]
    for piece in pieces {
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: piece[..<equals], as: UTF8.self).trimmed.lowercased()
      parameters[name] = String(decoding: piece[(equals + 1)...], as: UTF8.self).trimmed
    }
    self.parameters = parameters
  }
}

extension String {
  /// The trimmed texts between commas; adjacent commas have an empty text between them.
  var listed: [String] {
    utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).trimmed }
  }

  /// The text without leading and trailing spaces, tabs and line breaks.
  var trimmed: String {
    let isSpace: (UInt8) -> Bool = { $0 == 32 || (9...13).contains($0) }
    let bytes = utf8.drop(while: isSpace)
    let end = bytes.lastIndex { !isSpace($0) }
    guard let end else { return "" }
    return String(decoding: bytes[...end], as: UTF8.self)
  }

  /// The text, cut to a length that a message and a header can carry.
  ///
  /// It counts scalars, because one character may have any size.
  var excerpt: String {
    let limit = 200
    guard utf8.count > limit else { return self }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(limit))
    return String(scalars)
  }
}
