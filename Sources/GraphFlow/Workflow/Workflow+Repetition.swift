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
