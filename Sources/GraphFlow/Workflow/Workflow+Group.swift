extension Workflow {
  /// Requests that are sent once for each item of a source: a `for_each`.
  ///
  /// The short form, a request with its own `for_each`, is a group with one member. It is a class
  /// for the reason that ``Request`` is.
  package final class Group: Sendable {
    /// The name.
    package let name: RequestName
    /// The place of the name.
    package let location: SourceLocation
    /// The source of the items.
    package let source: ItemSource
    /// The identity of an item in journal and report; nil for its index.
    package let key: Template?
    /// The number of failed items after which no new items are started; nil for no limit.
    package let maxFailures: FailureLimit?
    /// The indices of its members in ``Workflow/requests``, which are consecutive.
    package let members: [Int]

    init(
      name: RequestName, location: SourceLocation, source: ItemSource, key: Template?,
      maxFailures: FailureLimit?, members: [Int]
    ) {
      self.name = name
      self.location = location
      self.source = source
      self.key = key
      self.maxFailures = maxFailures
      self.members = members
    }
  }

  /// The source of a group's items.
  package enum ItemSource: Hashable, Sendable {
    /// A file inside the workflow's folder.
    case file(Template)
    /// A list in the workflow file.
    case list([ValueTemplate])
    /// An input, or what a query selects in another request's body.
    case values(Placeholder)

    /// Its placeholders, in order.
    var placeholders: [Placeholder] {
      switch self {
      case .file(let path): path.placeholders
      case .list(let elements): elements.flatMap(\.placeholders)
      case .values(let placeholder): [placeholder]
      }
    }

    /// The reference to the items in another request's body; nil for other sources.
    var reference: Reference? {
      guard case .values(let placeholder) = self else { return nil }
      return placeholder.reference
    }
  }

  /// The number of failed items that stops a group.
  package enum FailureLimit: Hashable, Sendable {
    /// A number of items.
    case count(Int)
    /// A percentage of the finished items, evaluated once twenty have finished.
    case percentage(Double)
  }
}
