/// The versions of the API that the sandbox knows (docs/internals/graph-api.md, Versions).
struct VersionTable: Sendable {
  /// The version of paths that name none (docs/internals/graph-api.md, decision 29).
  let standard: String
  /// The version that answers requests for older ones.
  private static let oldestUsable = "v20.0"

  init(standard: String? = nil) { self.standard = standard ?? "v25.0" }

  private static let known: Set<String> = {
    let minors = [2: 0...12, 3: 0...3]
    return Set(
      (2...26).flatMap { major in
        (minors[major] ?? 0...0).map { "v\(major).\($0)" }
      })
  }()

  /// The version that answers a request; nil if the requested one does not exist.
  func answering(_ requested: String?) -> String? {
    guard let requested else { return standard }
    guard Self.known.contains(requested) else { return nil }
    return Self.number(requested) < Self.number(Self.oldestUsable) ? Self.oldestUsable : requested
  }

  private static func number(_ version: String) -> Int {
    let parts = version.utf8.dropFirst().split(separator: UInt8(ascii: "."))
      .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return parts.count == 2 ? parts[0] * 100 + parts[1] : 0
  }
}
