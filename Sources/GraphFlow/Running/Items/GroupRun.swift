import GraphAPI
import JSONPath

/// The state of a group: its position in its items, and the items that are open.
///
/// Only a window of items is open at a time: opened, and not finished yet. A run's memory therefore
/// does not grow with the number of items.
struct GroupRun: Sendable {
  /// Where further items come from.
  enum Supply: Hashable, Sendable {
    /// The source was not evaluated yet.
    case untouched
    /// There are no items beyond the buffer.
    case buffer
    /// A file that was not read completely.
    case file(path: String)
  }

  /// An item with instances that have not finished.
  struct OpenItem: Sendable {
    let item: Item
    /// The requests of its instances that were bound when it was read.
    let bound: [BoundRequest?]
    /// The number of its instances that have not finished.
    var unfinished: Int
    var hasFailed = false

    /// Records that an instance has finished; returns whether it was the last one, and whether the
    /// item has failed with it.
    mutating func recordEnd(_ isFailure: Bool) -> (isFinished: Bool, isNewFailure: Bool) {
      unfinished -= 1
      let isNewFailure = isFailure && !hasFailed
      hasFailed = hasFailed || isFailure
      return (unfinished == 0, isNewFailure)
    }
  }

  /// What dependents have to know about the outcomes of a group's instances.
  struct Outcomes: Sendable {
    private(set) var hasSucceeded = false
    /// Whether the group was completed without opening an item.
    var isUnopened = false
    /// The requests with an outcome that does not count as success.
    private var failed: Set<Int> = []

    mutating func record(_ status: RequestStatus, of request: Int, countsAsSuccess: Bool) {
      if status == .succeeded {
        hasSucceeded = true
      } else if !countsAsSuccess {
        failed.insert(request)
      }
    }

    /// Whether every outcome counts as success, of one request or of all.
    func countAsSuccess(of request: Int? = nil) -> Bool {
      request.map { !failed.contains($0) } ?? failed.isEmpty
    }
  }

  /// The answers of instances that have ended.
  private struct Answers: Sendable {
    var count = 0
    var bytes = 0
  }

  private(set) var supply = Supply.untouched
  /// Items that were read and are not open yet, the next one last.
  private(set) var buffer: [PreparedItem] = []
  /// The position after that of the last item that was opened.
  private(set) var nextItem = 0
  private(set) var open = NumberMap<OpenItem>()
  /// The keys of items from a result, which could not be checked before the run.
  private var keys: Set<String> = []
  /// The number of items that have finished or failed.
  private var judged = 0
  /// The number of items that have failed.
  private var failed = 0
  /// Whether the failed items have reached the limit, so that nothing more is sent for any item.
  private(set) var hasReachedFailureLimit = false
  private var answers = Answers()
  /// The outcomes of its instances so far.
  var outcomes = Outcomes()
  var isFinished = false
  /// Why the items could not be read completely.
  @Indirect private(set) var failure: Failure?

  /// Whether the dependents of the group as a whole may start.
  ///
  /// They may if there were no items, or if any instance succeeded: the list of bodies holds `null`
  /// for the others.
  var hasResult: Bool { !outcomes.isUnopened && (nextItem == 0 || outcomes.hasSucceeded) }

  /// Whether all items were opened and have finished, and the group itself has not.
  var isExhausted: Bool { !isFinished && supply == .buffer && buffer.isEmpty && open.isEmpty }

  /// Whether items are still to be opened, as far as is known.
  var hasMore: Bool {
    if case .file = supply { !isFinished } else { !isFinished && !buffer.isEmpty }
  }

  /// Whether one more item may be opened.
  func hasPlace(in room: ItemFlow.Room) -> Bool {
    room.hasPlace(open: open.count, left: supply == .buffer ? buffer.count : nil)
  }

  /// Whether the answers of one more open item fit into memory, if they are like those before.
  ///
  /// Pages of many items are read side by side, so as many answers are kept as items are open.
  var hasMemory: Bool {
    let most = 8 << 20
    return open.count < 2 * BatchRequest.maximumOperations
      || answers.count > 0 && open.count * (answers.bytes / answers.count) < most
  }

  mutating func recordAnswer(_ bytes: Int) {
    answers.count += 1
    answers.bytes += bytes
  }

  /// Takes the items from a file.
  mutating func read(from path: String) { supply = .file(path: path) }

  /// Takes items that were read, and why there are no more of them.
  mutating func receive(_ items: [PreparedItem], isLast: Bool, failure: Failure? = nil) {
    buffer = items.reversed() + buffer
    if isLast { supply = .buffer }
    if let failure { self.failure = failure }
  }

  mutating func takeNextItem() -> PreparedItem? { buffer.popLast() }

  /// Adds a key; false if another item has it.
  mutating func addKey(_ key: String) -> Bool { keys.insert(key).inserted }

  mutating func open(_ item: Item, bound: [BoundRequest?], memberCount: Int) {
    nextItem = item.index + 1
    open[item.index] = OpenItem(item: item, bound: bound, unfinished: memberCount)
  }

  /// Records that an instance of an item has finished.
  ///
  /// An item fails with its first failed instance, and counts from then on.
  ///
  /// - Returns: Whether it was the last instance of its item, which is then closed.
  mutating func recordInstanceEnd(
    ofItem position: Int, hasFailed: Bool, _ limit: Workflow.FailureLimit?
  ) -> Bool {
    guard let (isFinished, isNewFailure) = open[position]?.recordEnd(hasFailed) else {
      return false
    }
    if isNewFailure { failed += 1 }
    if isNewFailure || isFinished && open[position]?.hasFailed == false { judged += 1 }
    if isFinished { open[position] = nil }
    checkFailureLimit(limit)
    return isFinished
  }

  /// Records whether the failed items have reached the limit.
  ///
  /// This is never undone: items that are not sent finish too, and would reduce the share of failed
  /// ones.
  private mutating func checkFailureLimit(_ limit: Workflow.FailureLimit?) {
    switch limit {
    case nil: break
    case .count(let count): hasReachedFailureLimit = hasReachedFailureLimit || failed >= count
    case .percentage(let percentage):
      let isTooMuch = judged >= 20 && Double(failed) * 100 >= percentage * Double(judged)
      hasReachedFailureLimit = hasReachedFailureLimit || isTooMuch
    }
  }
}
