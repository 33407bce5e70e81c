/// The limits that reading a file keeps (docs/reference/language.md, "Limits").
enum LoadingLimits {
  /// The largest file, in bytes.
  static let fileSize = 64 * 1024 * 1024
  /// The longest text or comment, in bytes: what stands between two events of the parser.
  static let valueSize = 4 * 1024 * 1024
  /// The deepest nesting of lists and maps.
  static let depth = 100
  /// The most values after aliases have been replaced by what they stand for.
  static let expandedNodes = 10_000_000
  /// How many times more values there may be then than were written.
  static let expansionFactor = 100
  /// The most requests in a file.
  static let requests = 100_000
  /// The most members of groups that all `depends_on` together stand for.
  static let groupDependencies = 1_000_000
  /// The most names that are compared with those that are wrong: a file may hold many of both.
  static let comparisons = 300_000
}
