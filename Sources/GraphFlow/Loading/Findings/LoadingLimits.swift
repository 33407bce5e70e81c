/// The limits on files that are read (docs/reference/language.md, "Limits").
enum LoadingLimits {
  /// The largest file, in bytes.
  static let fileSize = 64 * 1024 * 1024
  /// The longest text or comment, in bytes: the distance between two events of the parser.
  static let valueSize = 4 * 1024 * 1024
  static let depth = 100
  static let expandedNodes = 10_000_000
  /// The largest ratio of values after alias expansion to values written.
  static let expansionFactor = 100
  static let requests = 100_000
  /// The most group members that all `depends_on` together refer to.
  static let groupDependencies = 1_000_000
  /// The most known names that are compared with misspelt ones: a file may contain many of both.
  static let comparisons = 300_000
}
