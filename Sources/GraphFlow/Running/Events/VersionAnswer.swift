/// A version that was asked for, and the one in which Graph answered instead.
///
/// Source: Graph API, "Versioning": an expired version is answered as the oldest usable one, and the
/// header `facebook-api-version` names that.
package struct VersionAnswer: Hashable, Sendable {
  package var asked: String
  package var served: String

  static let header = "facebook-api-version"

  /// What to do about it.
  var sentence: String {
    "Graph answers \(asked) as \(served): test with a version that it still has, and name that"
  }
}
