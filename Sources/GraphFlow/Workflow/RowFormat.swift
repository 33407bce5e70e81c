/// How rows are written, which the ending of a file's name says.
package enum RowFormat: String, CaseIterable, Sendable {
  case csv, jsonl, json

  /// Nil if the ending is unknown.
  package init?(path: String) {
    guard let format = RowFormat.allCases.first(where: { path.hasSuffix("." + $0.rawValue) }) else {
      return nil
    }
    self = format
  }

  /// The endings, for messages.
  package static var endings: String { ".csv, .jsonl or .json" }
}
