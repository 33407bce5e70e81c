package import GraphAPI

/// A valid workflow.
///
/// Names are unique, references resolve, there is no cycle, and every query and expression parses.
/// Only `Workflow.reading(_:)` makes one: the memberwise initialiser, which checks nothing, is not
/// visible outside this module.
public struct Workflow: Sendable {
  /// The file it was read from; its bytes are not kept.
  package struct Source: Hashable, Sendable {
    /// The path as the user typed it; `-` is standard input.
    package let path: String
    /// The file's SHA-256 in lower-case hexadecimal.
    package let digest: String
  }

  /// A named value that is reported when the run ends.
  package struct Output: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: ValueTemplate
  }

  /// The file it was read from.
  package let source: Source
  /// The name in reports.
  public let name: String
  /// The author's description.
  public let description: String?
  /// The inputs, in the file's order.
  package let inputs: [Input]
  /// The Graph version of requests without their own; nil for the tool's default.
  package let version: GraphVersion?
  /// The credential profile of requests without their own token.
  public let token: String
  /// The permissions that every request with the workflow's token needs.
  public let permissions: [String]
  /// The workflow's own rules for classifying errors.
  package let errors: [ErrorRule]
  /// The requests in the file's order; a request is identified by its index.
  package let requests: [Request]
  /// The outputs, in the file's order.
  package let outputs: [Output]
  /// The groups of requests that are sent once for each item of a source.
  package internal(set) var groups: [Group] = []
  /// When it should run.
  package internal(set) var schedule: Schedule?
}
