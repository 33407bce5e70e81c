/// The identity of an instance in the journal, the report and a resumed run.
///
/// An item is identified by its key, because its position may change between sessions of a run.
package struct InstanceID: Hashable, Sendable {
  let request: Int
  /// The item's key; nil outside groups, and for a group without any opened item.
  let key: String?

  init(request: Int, item: ItemID?) {
    self.request = request
    key = item?.key
  }

  init(_ attempt: AttemptID) { self.init(request: attempt.request, item: attempt.item) }

  package init(_ end: RequestEnd) { self.init(request: end.request, item: end.item) }
}

extension ItemID {
  /// An item without a valid key; its key differs from those of all other items of its group.
  static func unkeyed(at index: Int) -> ItemID { ItemID(index: index, key: "#\(index)") }
}
