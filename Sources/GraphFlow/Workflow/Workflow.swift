package import GraphAPI

/// A workflow that has been read and found sound.
///
/// Names are unique, references resolve, there is no cycle, every query and expression parses. Only
/// `Workflow.reading(_:)` makes one: the memberwise initialiser, which checks nothing, is not
/// visible outside this module.
public struct Workflow: Sendable {
  /// The file it was read from; its bytes are not kept.
  package struct Source: Hashable, Sendable {
    /// The path as the user typed it; `-` is standard input.
    package let path: String
    /// The SHA-256 of the file, in lower-case hexadecimal.
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
  /// The name that reports show.
  public let name: String
  /// What it is for, in the author's words.
  public let description: String?
  /// The inputs, in the file's order.
  package let inputs: [Input]
  /// The Graph version of requests that name none; nil for the tool's default.
  package let version: GraphVersion?
  /// The credential profile of requests that name no token.
  public let token: String
  /// The prerequisites of every request that uses the workflow's token.
  public let permissions: [String]
  /// The workflow's own rules for classifying errors.
  package let errors: [ErrorRule]
  /// The requests in the file's order; a request is known by its index.
  package let requests: [Request]
  /// The outputs, in the file's order.
  package let outputs: [Output]
  /// The groups of requests that are sent once for each item of a source.
  package internal(set) var groups: [Group] = []
  /// When it is meant to be run.
  package internal(set) var schedule: Schedule?
}
