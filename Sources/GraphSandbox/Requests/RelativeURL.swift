/// Where a request goes: version, path segments and query; nothing of it decoded twice.
struct RelativeURL: Sendable {
  /// `v25.0`, if the path begins with a version.
  let version: String?
  /// The decoded segments after the version; one is empty only where two slashes meet.
  let segments: [String]
  let query: Parameters

  init(_ text: String) {
    var text = text
    self = text.withUTF8 { RelativeURL(bytes: $0) }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    let slash = UInt8(ascii: "/")
    let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    var rest = bytes[..<question]
    if rest.first == slash { rest = rest.dropFirst() }
    if rest.last == slash { rest = rest.dropLast() }
    var segments =
      rest.isEmpty
      ? []
      : rest.split(separator: slash, omittingEmptySubsequences: false)
        .map { FormText.decoded($0, plusIsSpace: false) }
    if let first = segments.first, Self.isVersion(first) {
      version = first
      segments.removeFirst()
    } else {
      version = nil
    }
    self.segments = segments
    query =
      question < bytes.endIndex ? Parameters(form: bytes[(question + 1)...]) : Parameters()
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
