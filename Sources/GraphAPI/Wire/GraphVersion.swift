/// A version of the Graph API, such as `v25.0`.
///
/// Source: Graph API, "Versioning" and "Available Graph API Versions".
public struct GraphVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The major version number.
  public let major: Int
  /// The minor version number.
  public let minor: Int

  /// Parses `vN.N`; nil for anything else, including leading zeros and more than three digits.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].first == UInt8(ascii: "v"),
      let major = Self.number(parts[0].dropFirst()), let minor = Self.number(parts[1])
    else { return nil }
    self.init(major: major, minor: minor)
  }

  fileprivate init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Whether Graph interprets the first segment of a path as a version, such as `v19.0` or `V19.0`.
  ///
  /// Graph does so even if another version precedes the path.
  package static func isNamed(by segment: Substring) -> Bool {
    var digits = 0
    var dots = 0
    for (index, byte) in segment.utf8.enumerated() {
      if index == 0 {
        guard byte | 0x20 == UInt8(ascii: "v") else { return false }
      } else if byte.isDigit {
        digits += 1
      } else {
        guard byte == UInt8(ascii: "."), dots == 0, digits > 0 else { return false }
        (dots, digits) = (1, 0)
      }
    }
    return dots == 1 && digits > 0
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard (1...3).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0"),
      digits.allSatisfy(\.isDigit)
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The default version of requests: v25.0.
  public static let current = GraphVersion(major: 25, minor: 0)

  /// `vN.N`, as in paths.
  public var description: String { "v\(major).\(minor)" }

  /// Orders by major, then by minor number.
  public static func < (left: GraphVersion, right: GraphVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

extension GraphVersion {
  /// The dates of a version as Meta publishes them.
  package struct Release: Hashable, Sendable {
    package let version: GraphVersion
    /// The day or month of the release, `YYYY-MM-DD` or `YYYY-MM`.
    package let released: String
    /// The last day on which the version is available, `YYYY-MM-DD`; nil if not yet set.
    package let usableUntil: String?
  }

  /// The versions of Meta's table as of mid-2026, newest first.
  package static let known: [Release] = [
    Release(26, released: "2026-07-29", usableUntil: nil),
    Release(25, released: "2026-02-18", usableUntil: "2028-07-29"),
    Release(24, released: "2025-10-08", usableUntil: "2028-02-18"),
    Release(23, released: "2025-05-29", usableUntil: "2027-10-08"),
    Release(22, released: "2025-01-21", usableUntil: "2027-05-20"),
    Release(21, released: "2024-10-02", usableUntil: "2027-01-21"),
    Release(20, released: "2024-05-21", usableUntil: "2026-09-24"),
    Release(19, released: "2024-01", usableUntil: "2026-05-21"),
    Release(18, released: "2023-09", usableUntil: "2026-01-26"),
  ]
}

extension GraphVersion.Release {
  fileprivate init(_ major: Int, released: String, usableUntil: String?) {
    self.version = GraphVersion(major: major, minor: 0)
    self.released = released
    self.usableUntil = usableUntil
  }
}
