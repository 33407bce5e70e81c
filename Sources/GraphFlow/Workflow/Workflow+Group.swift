extension Workflow {
  /// Requests that are sent once for each item of a source: a `for_each`.
  ///
  /// The short form, a request with `for_each` of its own, is a group with one member. A class, as
  /// ``Request`` is.
  package final class Group: Sendable {
    /// The name under which others refer to it.
    package let name: RequestName
    /// Where the name stands.
    package let location: SourceLocation
    /// Where the items come from.
    package let source: ItemSource
    /// The identity of an item in journal and report; nil for its index.
    package let key: Template?
    /// After how many failed items no new ones are started; nil for never.
    package let maxFailures: FailureLimit?
    /// The indices of its members in ``Workflow/requests``, which follow one another.
    package let members: [Int]

    init(
      name: RequestName,
      location: SourceLocation,
      source: ItemSource,
      key: Template?,
      maxFailures: FailureLimit?,
      members: [Int]
    ) {
      self.name = name
      self.location = location
      self.source = source
      self.key = key
      self.maxFailures = maxFailures
      self.members = members
    }
  }

  /// Where the items of a group come from.
  package enum ItemSource: Hashable, Sendable {
    /// A file inside the workflow's folder.
    case file(Template)
    /// A list in the workflow file.
    case list([ValueTemplate])
    /// An input, or what a query selects in another request's body.
    case values(Placeholder)

    /// The placeholders in it, in order.
    var placeholders: [Placeholder] {
      switch self {
      case .file(let path): path.placeholders
      case .list(let elements): elements.flatMap(\.placeholders)
      case .values(let placeholder): [placeholder]
      }
    }

    /// The reference that selects the items in an answer; nil if they come from elsewhere.
    var reference: Reference? {
      guard case .values(let placeholder) = self else { return nil }
      return placeholder.reference
    }
  }

  /// How many failed items are too many.
  package enum FailureLimit: Hashable, Sendable {
    /// A number of items.
    case count(Int)
    /// A share of the items that have ended, in percent, judged once twenty have.
    case percentage(Double)
  }
}
