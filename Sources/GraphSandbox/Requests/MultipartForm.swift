/// A `multipart/form-data` body (RFC 7578): parameters and files.
struct MultipartForm: Sendable {
  private(set) var parameters = Parameters()
  private(set) var files: [UploadedFile] = []

  /// Reads a body; nil if the boundary is missing or a part is unterminated.
  init?(_ body: [UInt8], contentType: String) {
    guard let boundary = HeaderValue(contentType).parameters["boundary"], !boundary.isEmpty else {
      return nil
    }
    let delimiter = Array("--\(boundary)".utf8)
    guard var start = body.firstRange(of: delimiter, from: 0)?.upperBound else { return nil }
    // Each part is between a delimiter and the line break before the next one.
    let separator = Array("\r\n".utf8) + delimiter
    while !body.hasDashes(at: start) {
      guard let end = body.firstRange(of: separator, from: start) else { return nil }
      read(body[start..<end.lowerBound])
      start = end.upperBound
    }
  }

  private mutating func read(_ part: ArraySlice<UInt8>) {
    // The delimiter's own line ends with the first line break.
    guard let lineEnd = part.firstRange(of: [13, 10], from: part.startIndex),
      let headEnd = part.firstRange(of: [13, 10, 13, 10], from: lineEnd.lowerBound)
    else { return }
    let head = part[lineEnd.lowerBound..<headEnd.lowerBound]
    let contents = part[headEnd.upperBound...]
    var disposition = HeaderValue("")
    for line in head.split(whereSeparator: { $0 == 13 || $0 == 10 }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name == "content-disposition" else { continue }
      disposition = HeaderValue(String(decoding: line[(colon + 1)...], as: UTF8.self))
    }
    guard let name = disposition.parameters["name"] else { return }
    guard disposition.parameters["filename"] != nil else {
      return parameters.append(name, String(decoding: contents, as: UTF8.self))
    }
    files.append(UploadedFile(partName: name, contents: contents))
  }
}

extension [UInt8] {
  fileprivate func hasDashes(at index: Int) -> Bool {
    index + 1 < count && self[index] == UInt8(ascii: "-") && self[index + 1] == UInt8(ascii: "-")
  }
}

extension Collection where Element == UInt8, Index == Int {
  /// The first occurrence of the pattern at or after an index.
  func firstRange(of pattern: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = pattern.first, endIndex - start >= pattern.count else { return nil }
    return withContiguousStorageIfAvailable { bytes in
      let base = startIndex
      var index = start - base
      let last = bytes.count - pattern.count
      while index <= last {
        if bytes[index] == first, pattern.indices.allSatisfy({ bytes[index + $0] == pattern[$0] }) {
          return index + base..<index + base + pattern.count
        }
        index += 1
      }
      return nil
    } ?? nil
  }
}

/// A file part of a multipart body.
struct UploadedFile: Sendable {
  /// The part's name as Graph's form parser changes it: dots and spaces become underscores.
  ///
  /// That is why a part named `file1.jpg` counts as not attached (docs/internals/graph-api.md,
  /// Uploads).
  let partName: String
  let contents: ArraySlice<UInt8>

  init(partName: String, contents: ArraySlice<UInt8>) {
    self.partName = String(
      decoding: partName.utf8.map {
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0
      }, as: UTF8.self)
    self.contents = contents
  }
}
