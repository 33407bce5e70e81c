extension Workflow {
  /// Following `paging.next` until there is none: `paginate`.
  package struct Pagination: Hashable, Sendable {
    /// The most pages that are read; nil for all.
    package var maxPages: Int?
    /// The most items that are kept; nil for all.
    package var maxItems: Int?
  }

  /// Asking again until something holds: `until`.
  package struct Until: Hashable, Sendable {
    /// What ends the asking with success.
    package var check: Expression
    /// What ends it with failure, at once.
    package var fail: Expression?
    /// How long to wait between two askings.
    package var interval: Duration
    /// How long to go on asking.
    package var within: Duration
  }
}
