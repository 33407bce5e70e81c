/// The target of a request: version, path segments and query, each decoded once.
struct RelativeURL: Sendable {
  /// As received.
  let text: String
  /// `v25.0`, if the path begins with a version.
  let version: String?
  /// The decoded segments after the version; adjacent slashes have an empty one between them.
  let path: [String]
  let query: Parameters

  init(_ text: String) {
    self.text = text
    let bytes = Array(text.utf8)[...]
    let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    let segments = Self.segments(of: bytes[..<question])
    version = segments.first.flatMap { Self.isVersion($0) ? $0 : nil }
    path = version == nil ? segments : Array(segments.dropFirst())
    query = Parameters(form: bytes[question...].dropFirst())
  }

  private static func segments(of path: ArraySlice<UInt8>) -> [String] {
    let slash = UInt8(ascii: "/")
    var path = path
    if path.first == slash { path.removeFirst() }
    if path.last == slash { path.removeLast() }
    guard !path.isEmpty else { return [] }
    return path.split(separator: slash, omittingEmptySubsequences: false)
      .map { FormText.decoded($0, plusIsSpace: false) }
  }

  /// Whether a segment has the form of a version: `v`, digits, a dot, digits.
  private static func isVersion(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "v"), text.utf8.count <= 12 else { return false }
    let parts = text.utf8.dropFirst()
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
  }
}
