import ArgumentParser
import GraphAPI

/// The arguments and options of `get`, `post` and `delete`.
struct CallOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The Graph path, such as me/feed.", valueName: "path"))
  var path: String

  @Argument(help: ArgumentHelp("Parameters, sent as they are.", valueName: "name=value"))
  var parameters: [InputAssignment] = []

  @Option(
    help: ArgumentHelp(
      "Print what this query selects, one value a line, instead of the body.", valueName: "jsonpath"
    ))
  var select: String?

  @Option(
    name: .customLong("graph-version"),
    help: ArgumentHelp("The Graph API's version, such as v25.0.", valueName: "version"))
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
