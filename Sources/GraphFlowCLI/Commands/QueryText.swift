import GraphFlow
import JSONPath

/// A JSONPath query from the command line.
enum QueryText {
  /// Reads a query; a malformed one is shown with a caret.
  static func parsed(_ text: String) throws -> Query {
    do {
      return try Query(text)
    } catch {
      let column = error.offset + 1
      Diagnostics.report(
        [
          Diagnostic(
            severity: .error, rule: "invalid-query", message: error.message, file: "query",
            location: SourceLocation(line: 1, column: column, endColumn: column + 1),
            hint: error.hint, fix: nil)
        ], of: SourceFile(path: "query", bytes: Array(text.utf8)))
      throw CommandFailure.silent(.invalid)
    }
  }
}
