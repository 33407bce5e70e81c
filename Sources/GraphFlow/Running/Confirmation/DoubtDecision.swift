/// What a person found out about a write in doubt.
package struct DoubtDecision: Hashable, Sendable {
  /// What a person found.
  package enum Finding: Hashable, Sendable {
    /// It happened; the id of the node it created, which becomes the body `{"id": ID}`.
    case applied(id: String)
    case notApplied
  }

  /// The request's index in the file.
  package let request: Int
  /// The item, if the request is a member of a group.
  package let item: ItemID?
  package let finding: Finding

  package init(request: Int, item: ItemID?, finding: Finding) {
    self.request = request
    self.item = item
    self.finding = finding
  }
}
