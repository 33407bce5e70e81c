import GraphAPI
import JSONPath

/// A group on its way through its items.
///
/// Only a window of items is open at a time: read, but not over. So a run's memory does not grow
/// with the number of items.
struct GroupRun: Sendable {
  /// Where more items come from.
  enum Supply: Hashable, Sendable {
    /// Nothing has been looked at yet.
    case untouched
    /// What is in the buffer is all there is.
    case buffer
    /// A file that was not read to its end.
    case file(path: String)
  }

  /// An item some of whose instances are not over.
  struct OpenItem: Sendable {
    let item: Item
    /// What its instances send, as far as that was worked out when it was read.
    let bound: [BoundRequest?]
    /// How many of its instances are not over.
    var unfinished: Int
    var hasFailed = false
  }

  var supply = Supply.untouched
  /// Items that were read and are not open yet.
  var buffer: ArraySlice<PreparedItem> = []
  /// The position of the next item.
  var nextItem = 0
  var open = NumberMap<OpenItem>()
  /// The keys of items that came out of a result, which nobody could check beforehand.
  var keys: Set<String> = []
  /// Items that are over or have failed, and those that have failed.
  private var judged = 0
  private var failed = 0
  /// Whether so many of them have failed that nothing more is sent for any item.
  private(set) var sendsNoMore = false
  /// Whether any instance has succeeded.
  var hasSucceeded = false
  var isFinished = false
  /// Why the items could not be read, or not to the end.
  @Indirect var failure: Failure?

  /// Set if the group ended before it came to any item: whether that is excused.
  var unopenedCountsAsSuccess: Bool?

  /// Whether what waits for the group as a whole may start.
  ///
  /// It may if there were no items, or if any instance succeeded: the list of bodies holds `null`
  /// for the others.
  var hasResult: Bool { unopenedCountsAsSuccess == nil && (nextItem == 0 || hasSucceeded) }

  /// Whether one more item may be opened.
  func hasPlace(in room: ItemFlow.Room) -> Bool {
    room.hasPlace(open: open.count, left: supply == .buffer ? buffer.count : nil)
  }

  /// Notes that an instance of an item is over.
  ///
  /// An item has failed with the first of its instances that does, and counts from then on.
  ///
  /// - Returns: whether it was the last instance of its item, which is not open any more.
  mutating func recordInstanceEnd(
    ofItem position: Int,
    hasFailed: Bool,
    _ limit: Workflow.FailureLimit?
  ) -> Bool {
    guard var item = open[position] else { return false }
    item.unfinished -= 1
    let isNewFailure = hasFailed && !item.hasFailed
    item.hasFailed = item.hasFailed || hasFailed
    let isFinished = item.unfinished == 0
    open[position] = isFinished ? nil : item
    if isNewFailure { failed += 1 }
    if isNewFailure || isFinished && !item.hasFailed { judged += 1 }
    judgeFailures(limit)
    return isFinished
  }

  /// Notes whether so many items have failed that nothing more is sent, ever again: those that are
  /// kept from starting end too, and would thin out the share of failed ones.
  private mutating func judgeFailures(_ limit: Workflow.FailureLimit?) {
    switch limit {
    case nil: break
    case .count(let count): sendsNoMore = sendsNoMore || failed >= count
    case .percentage(let percentage):
      let isTooMuch = judged >= 20 && Double(failed) * 100 >= percentage * Double(judged)
      sendsNoMore = sendsNoMore || isTooMuch
    }
  }
}
