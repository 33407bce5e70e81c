import ArgumentParser
import GraphAPI

/// `graphflow get`: one read from the shell.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Read from the Graph API.",
    discussion: """
      Prints the body of the answer. Tokens in it are shown as '***'.

      Example: the ids of the latest posts:

        graphflow get me/feed fields=id limit=3 --select '$.data[*].id'
      """)

  @OptionGroup var options: CallOptions

  func run() throws { try SingleCall(.get, options).run() }
}

/// `graphflow post`: one write from the shell.
struct PostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Write to the Graph API.",
    discussion: """
      Prints the body of the answer. If the connection breaks after the request was sent, it is \
      unknown whether it took effect, and the exit code is 3.

      Example:

        graphflow post me/feed message="Hello from the shell" --select '$.id'
      """)

  @OptionGroup var options: CallOptions

  func run() throws { try SingleCall(.post, options).run() }
}

/// `graphflow delete`: one deletion from the shell.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete from the Graph API.",
    discussion: """
      Prints the body of the answer.

      Example:

        graphflow delete 123_456
      """)

  @OptionGroup var options: CallOptions

  func run() throws { try SingleCall(.delete, options).run() }
}

/// The arguments and options of `get`, `post` and `delete`.
struct CallOptions: ParsableArguments {
  @Argument(help: .value("path", "The Graph path, such as me/feed."))
  var path: String

  @Argument(help: .value("name=value", "Parameters, sent as they are."))
  var parameters: [InputAssignment] = []

  @Option(
    help: .value(
      "jsonpath", "Print what this query selects, one value a line, instead of the body."))
  var select: String?

  @Option(
    name: .customLong("graph-version"),
    help: .value("version", "The Graph API's version, such as v25.0."))
  var version: String?

  @OptionGroup(title: "Graph API") var graph: GraphOptions

  /// Parameters that only graphflow itself sends, as in a workflow.
  private static let reserved = [
    "access_token", "appsecret_proof", "method", "batch", "debug",
  ]

  func validate() throws {
    if let wrong = parameters.first(where: { CallOptions.reserved.contains($0.name) }) {
      throw ValidationError(
        "the parameter '\(wrong.name)' cannot be given here; tokens come from profiles")
    }
    if let version, GraphVersion(version) == nil {
      throw ValidationError("--graph-version: '\(version)' is not a version, such as v25.0")
    }
  }
}
