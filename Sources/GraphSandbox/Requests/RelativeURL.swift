import JSONPath

/// The target of a request: version, path segments and query, each decoded once.
struct RelativeURL: Sendable {
  /// `v25.0`, if the path begins with a version.
  private(set) var version: String?
  /// The decoded segments after the version; adjacent slashes have an empty one between them.
  private(set) var path: [String] = []
  private(set) var query = Parameters()

  init(_ text: some Collection<UInt8>) { self.init(Array(text)[...]) }

  init(_ text: ArraySlice<UInt8>) {
    let mark = UInt8(ascii: "?")
    let question = text.startIndex + text.span.firstIndex(of: mark, or: mark, from: 0)
    query.append(form: text[question...].dropFirst())
    let slash = UInt8(ascii: "/")
    var segments = text[..<question]
    if segments.first == slash { segments.removeFirst() }
    if segments.last == slash { segments.removeLast() }
    guard !segments.isEmpty else { return }
    path.reserveCapacity(2)
    while let end = segments.firstIndex(of: slash) {
      append(segments[..<end])
      segments = segments[(end + 1)...]
    }
    append(segments)
  }

  private mutating func append(_ segment: ArraySlice<UInt8>) {
    let text = FormText.decoded(segment)
    if path.isEmpty, version == nil, Self.isVersion(text) {
      version = text
    } else {
      path.append(text)
    }
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
