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
    private(set) var unfinished: Int
    private(set) var hasFailed = false

    init(_ item: Item, members: Int, bound: [BoundRequest?]) {
      self.item = item
      self.bound = bound
      unfinished = members
    }

    /// Notes that one of its instances is over; whether that was the last.
    mutating func noteEnd(hasFailed: Bool) -> Bool {
      unfinished -= 1
      self.hasFailed = self.hasFailed || hasFailed
      return unfinished == 0
    }
  }

  var supply = Supply.untouched
  /// Items that were read and are not open yet.
  var buffer: ArraySlice<PreparedItem> = []
  /// The position of the next item.
  var nextItem = 0
  var open = NumberMap<OpenItem>()
  /// The keys of items that came out of a result, which nobody could check beforehand.
  var keys: Set<String> = []
  /// Items that are over, and those of them that failed.
  var ended = 0
  var failed = 0
  /// Whether so many of them failed that no new ones are started.
  private(set) var startsNoMore = false
  /// Whether any instance has succeeded.
  var hasSucceeded = false
  var isOver = false

  /// Set if the group ended before it came to any item: whether that is excused.
  var unopenedIsExcused: Bool?

  /// Whether what waits for the group as a whole may start.
  ///
  /// It may if there were no items, or if any instance succeeded: the list of bodies holds `null`
  /// for the others.
  var hasResult: Bool { unopenedIsExcused == nil && (nextItem == 0 || hasSucceeded) }

  /// Notes whether so many items have failed that no new ones are started, ever again: those that
  /// are kept from starting end too, and would thin out the share of failed ones.
  mutating func judgeFailures(_ limit: Workflow.FailureLimit?) {
    switch limit {
    case nil: break
    case .count(let count): startsNoMore = startsNoMore || failed >= count
    case .percentage(let percentage):
      let isTooMuch = ended >= 20 && Double(failed) * 100 >= percentage * Double(ended)
      startsNoMore = startsNoMore || isTooMuch
    }
  }
}
