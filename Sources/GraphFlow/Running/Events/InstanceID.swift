/// Which instance of which request: the identity that journal, report and resumed run agree on.
///
/// An item is known by its key. Its position may change from one session of a run to the next.
struct InstanceID: Hashable, Sendable {
  /// The request's index.
  let request: Int
  /// The item's key; nil outside groups, and for a group that came to no item.
  let key: String?

  init(request: Int, item: ItemID?) {
    self.request = request
    key = item?.key
  }

  init(_ attempt: AttemptID) { self.init(request: attempt.request, item: attempt.item) }

  init(_ end: RequestEnd) { self.init(request: end.request, item: end.item) }
}

extension ItemID {
  /// An item without a valid key of its own: no other item of its group may be taken for it.
  static func unkeyed(at index: Int) -> ItemID { ItemID(index: index, key: "#\(index)") }
}
