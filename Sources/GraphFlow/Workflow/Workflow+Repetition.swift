extension Workflow {
  /// Following `paging.next` until there is none: `paginate`.
  public struct Pagination: Hashable, Sendable {
    /// The most pages that are read; nil for all.
    public var maxPages: Int?
    /// The most items that are kept; nil for all.
    public var maxItems: Int?
  }

  /// Asking again until something holds: `until`.
  public struct Until: Hashable, Sendable {
    /// What ends the asking with success.
    public var check: Expression
    /// What ends it with failure, at once.
    public var fail: Expression?
    /// How long to wait between two askings.
    public var interval: Duration
    /// How long to go on asking.
    public var within: Duration
  }
}
