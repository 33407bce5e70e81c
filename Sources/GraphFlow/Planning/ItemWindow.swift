/// How many instances of items are open at a time: read, but not over.
///
/// So neither a plan nor a run takes memory in proportion to the number of items.
enum ItemWindow {
  /// Room for forty full batches.
  static let limit = 2000

  /// Whether a group with so many members may open one more item.
  ///
  /// - Parameters:
  ///   - open: the items of all groups that are open.
  ///   - own: those of the group itself. One batch of its own is always granted: another group,
  ///     which waits for this one, must not keep it from beginning.
  ///   - members: the number of the group's members.
  /// - Returns: whether it may.
  static func hasRoom(open: Int, own: Int, members: Int) -> Bool {
    open * members < limit || own * members < BatchLimits.widest
  }
}

extension BatchLimits {
  /// The widest batch that there is.
  fileprivate static let widest = BatchLimits().width
}
