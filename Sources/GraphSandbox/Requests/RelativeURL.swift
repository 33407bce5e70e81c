/// Where a request goes: version, path segments and query; nothing of it decoded twice.
struct RelativeURL: Sendable {
  /// `v25.0`, if the path begins with a version.
  let version: String?
  /// The decoded segments after the version; one is empty only where two slashes meet.
  let path: ResourcePath
  let query: Parameters

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var texts = TextList()
    let parts = texts.append(url: bytes.indices, of: bytes)
    version = parts.version
    path = ResourcePath(parts.path.map { texts[$0] })
    query = Parameters(texts, parts.query)
  }

  /// Whether a segment is spelled like a version: `v`, digits, a dot, digits.
  static func isVersion(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "v"), text.utf8.count <= 12 else { return false }
    let parts = text.utf8.dropFirst()
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
  }
}

extension TextList {
  /// The parts of an address: which texts of a list they are.
  struct URLParts: Sendable {
    let version: String?
    let path: Range<Int>
    /// Names and values by turns.
    var query: Range<Int>
  }

  /// Appends the segments of an address, then the names and values of its query.
  mutating func append(url: Range<Int>, of source: [UInt8]) -> URLParts {
    let question = source.end(of: url, at: UInt8(ascii: "?"))
    let start = count
    append(path: url.lowerBound..<question, of: source)
    let middle = count
    append(form: min(question + 1, url.upperBound)..<url.upperBound, of: source)
    var version: String?
    if start < middle, startsVersion(at: start) {
      let first = self[start]
      if RelativeURL.isVersion(first) { version = first }
    }
    return URLParts(
      version: version,
      path: (version == nil ? start : start + 1)..<middle,
      query: middle..<count
    )
  }

  private func startsVersion(at index: Int) -> Bool {
    let place = places[index]
    return !place.isEmpty && bytes[place.range.lowerBound] == UInt8(ascii: "v")
  }
}
