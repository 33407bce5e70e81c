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

extension Workflow {
  /// When a workflow should run: `schedule`.
  package struct Schedule: Hashable, Sendable {
    /// The times, in cron's syntax.
    package let cron: CronLine
    /// The time zone: a name of the IANA time zone database.
    package let timeZone: String
    /// The place of `schedule`.
    package let location: SourceLocation
  }
}

extension Workflow {
  /// The check whether a write took effect whose answer was lost: `confirm`.
  package struct Confirmation: Hashable, Sendable {
    /// The path of the GET that checks.
    package let path: Template
    /// Its parameters, in the order written.
    package let params: [Parameter]
    /// Selects the node that the write created: exactly one match means that it took effect.
    package let match: NodeSelection
    /// Selects what becomes the request's body; nil for the matching node itself.
    package let result: NodeSelection?
    /// How long reads may lag behind writes: until then, finding nothing proves nothing.
    package let within: Duration
    /// The place of `confirm`.
    package let location: SourceLocation

    /// Its placeholders, in the order written.
    package var placeholders: [Placeholder] {
      path.placeholders + params.flatMap(\.value.placeholders) + match.expression.placeholders
        + (result?.expression.placeholders ?? [])
    }
  }
}

extension Workflow {
  /// Following `paging.next` until there is none: `paginate`.
  package struct Pagination: Hashable, Sendable {
    /// The most pages to read; nil for all.
    package var maxPages: Int?
    /// The most items to keep; nil for all.
    package var maxItems: Int?
  }

  /// Polling until a condition holds: `until`.
  package struct Until: Hashable, Sendable {
    /// The condition that ends the polling with success.
    package var check: Expression
    /// The condition that ends the polling with failure.
    package var fail: Expression?
    /// The time between two attempts.
    package var interval: Duration
    /// The time after which the polling fails.
    package var within: Duration
  }
}
