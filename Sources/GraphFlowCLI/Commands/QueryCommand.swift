import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow query`: RFC 9535 over any JSON.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Select values from JSON with JSONPath (RFC 9535).",
    discussion: """
      Prints one selected value on a line, as compact JSON, in document order. If nothing is \
      selected, it prints nothing, and that is not an error. Nothing is masked: the JSON is yours.

      Example: the ids of the posts that have a message:

        graphflow get me/feed | graphflow query --raw '$.data[?@.message].id'
      """)

  // Without completions of its own, it would get those of the file in fish.
  @Argument(
    help: .value("jsonpath", "The query, such as '$.data[*].id'."), completion: .list([]))
  var query: String

  @Argument(help: .value("file", "The JSON; - or nothing is standard input."), completion: .json)
  var file = "-"

  @Flag(help: "Print the values as one JSON list.")
  var array = false

  @Flag(help: "Print the normalized path beside each value.")
  var paths = false

  @Flag(help: "Print texts without quotes.")
  var raw = false

  func validate() throws {
    try require(!raw || !(array || paths), "--raw does not go with --array or --paths")
  }

  func run() throws {
    let query = try QueryText.parsed(self.query)
    let document = try document()
    do {
      let nodes =
        paths
        ? try query.nodes(in: document).map { (path: $0.location.description, value: $0.value) }
        : try query.values(in: document).map { (path: "", value: $0) }
      if array {
        let values = nodes.map { node -> JSON in
          paths ? ["path": .string(node.path), "value": node.value] : node.value
        }
        return try Terminal.printUnmasked(
          Untrusted.json(Array((JSON.array(values).serialized() + "\n").utf8)))
      }
      guard paths else {
        return try Terminal.printUnmasked(Terminal.lines(of: nodes.lazy.map(\.value), raw: raw))
      }
      var text: [UInt8] = []
      for node in nodes {
        text += "\(node.path)\t".utf8
        node.value.write(to: &text)
        text.append(UInt8(ascii: "\n"))
      }
      try Terminal.printUnmasked(Untrusted.json(text))
    } catch is QueryLimitExceeded {
      throw CommandFailure(.invalid, "the query takes too many steps on this JSON")
    }
  }

  private func document() throws -> JSON.Document {
    do {
      return try JSON.Document(parsing: try FileReading.bytes(of: file))
    } catch let error as JSON.SyntaxError {
      throw CommandFailure(
        .invalid, "\(file):\(error.line):\(error.column): not JSON: \(error.message)")
    }
  }
}

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
