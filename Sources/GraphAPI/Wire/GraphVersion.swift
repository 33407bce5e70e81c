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
    /// The day of the release, `YYYY-MM-DD`.
    package let released: String
    /// The last day on which the version is available, `YYYY-MM-DD`; nil if not yet set.
    package let usableUntil: String?
  }

  /// The versions of Meta's table as of mid-2026, newest first.
  ///
  /// Source: Graph API, "Versions" (`/docs/graph-api/changelog/versions`).
  package static let known: [Release] = [
    Release(26, released: "2026-07-29", usableUntil: nil),
    Release(25, released: "2026-02-18", usableUntil: "2028-07-29"),
    Release(24, released: "2025-10-08", usableUntil: "2028-02-18"),
    Release(23, released: "2025-05-29", usableUntil: "2027-10-08"),
    Release(22, released: "2025-01-21", usableUntil: "2027-05-20"),
    Release(21, released: "2024-10-02", usableUntil: "2027-01-21"),
    Release(20, released: "2024-05-21", usableUntil: "2026-09-24"),
    Release(19, released: "2024-01-23", usableUntil: "2026-05-21"),
    Release(18, released: "2023-09-12", usableUntil: "2026-01-26"),
    Release(17, released: "2023-05-23", usableUntil: "2025-09-12"),
    Release(16, released: "2023-02-02", usableUntil: "2025-05-14"),
    Release(15, released: "2022-09-15", usableUntil: "2024-11-20"),
    Release(14, released: "2022-05-25", usableUntil: "2024-09-17"),
    Release(13, released: "2022-02-08", usableUntil: "2024-05-28"),
    Release(12, released: "2021-09-14", usableUntil: "2024-02-08"),
    Release(11, released: "2021-06-08", usableUntil: "2023-09-14"),
    Release(10, released: "2021-02-23", usableUntil: "2023-06-08"),
    Release(9, released: "2020-11-10", usableUntil: "2023-02-23"),
    Release(8, released: "2020-08-04", usableUntil: "2022-11-01"),
    Release(7, released: "2020-05-05", usableUntil: "2022-08-04"),
    Release(6, released: "2020-02-03", usableUntil: "2022-05-05"),
    Release(5, released: "2019-10-29", usableUntil: "2022-02-03"),
    Release(4, released: "2019-07-29", usableUntil: "2021-11-02"),
    Release(3, 3, released: "2019-04-30", usableUntil: "2021-08-03"),
    Release(3, 2, released: "2018-10-23", usableUntil: "2021-05-04"),
    Release(3, 1, released: "2018-07-26", usableUntil: "2020-10-27"),
    Release(3, released: "2018-05-01", usableUntil: "2020-07-28"),
    Release(2, 12, released: "2018-01-30", usableUntil: "2020-05-05"),
    Release(2, 11, released: "2017-11-07", usableUntil: "2020-01-28"),
    Release(2, 10, released: "2017-07-18", usableUntil: "2019-11-07"),
    Release(2, 9, released: "2017-04-18", usableUntil: "2019-07-22"),
    Release(2, 8, released: "2016-10-05", usableUntil: "2019-04-18"),
    Release(2, 7, released: "2016-07-13", usableUntil: "2018-10-05"),
    Release(2, 6, released: "2016-04-12", usableUntil: "2018-07-13"),
    Release(2, 5, released: "2015-10-07", usableUntil: "2018-04-12"),
    Release(2, 4, released: "2015-07-08", usableUntil: "2017-10-09"),
    Release(2, 3, released: "2015-03-25", usableUntil: "2017-07-10"),
    Release(2, 2, released: "2014-10-30", usableUntil: "2017-03-27"),
    Release(2, 1, released: "2014-08-07", usableUntil: "2016-10-31"),
    Release(2, released: "2014-04-30", usableUntil: "2016-08-08"),
    Release(1, released: "2010-04-21", usableUntil: "2015-04-30"),
  ]

  /// The dates of the version, if they are known.
  package var release: Release? { Self.known.first { $0.version == self } }

  /// The last day on which the version was available, if that was before a day; empty if it ended
  /// before all known versions.
  package func end(before day: String) -> String? {
    if let oldest = Self.known.last, self < oldest.version { return "" }
    return release?.usableUntil.flatMap { $0 < day ? $0 : nil }
  }
}

extension GraphVersion.Release {
  fileprivate init(_ major: Int, _ minor: Int = 0, released: String, usableUntil: String?) {
    self.version = GraphVersion(major: major, minor: minor)
    self.released = released
    self.usableUntil = usableUntil
  }
}
