import GraphAPI
import JSONPath

/// A write that may have happened, while confirmation checks search for it.
struct Doubt: Hashable, Sendable {
  /// The state of the current check.
  enum Step: Hashable, Sendable {
    case scheduled(at: Duration)
    case underWay
  }

  /// The pages of a check that does not reach back far enough yet.
  struct Pages: Hashable, Sendable {
    var collection: PageCollection
    /// When the first of them was requested.
    let since: Duration
  }

  /// Why the outcome of its last attempt is unknown.
  let failure: Failure
  /// The last attempt's HTTP status, if it had one.
  let code: Int?
  let since: Duration
  /// The server asks not to send it again before this time.
  let resendNotBefore: Duration
  /// How many checks have completed, whatever the result.
  private(set) var checkCount = 0
  private(set) var pages: Pages?
  var step: Step

  /// How many pages a check follows; on a busier edge it cannot succeed.
  static let pageLimit = 20

  /// When a check was sent and answered, and what limits the next one.
  struct Timing: Sendable {
    let startedAt: Duration
    let endedAt: Duration
    let delay: Duration?
    /// How long reads may lag behind writes.
    let within: Duration
  }

  /// What the answer to a check means for the write.
  enum Conclusion: Hashable, Sendable {
    /// Nothing yet: ``Doubt/step`` holds the time of the next check.
    case open
    /// It happened and created this node.
    case happened(FoundNode)
    /// Reads have caught up, and no node was found.
    case didNotHappen
    /// Checks cannot decide it: a person has to.
    case undecided(RemainingDoubt)
  }

  /// Records the answer to a check, which may be one of several pages.
  ///
  /// A page that is full of newer nodes proves nothing: the write's node may be on a later page, and
  /// a match on this page may not be the only one.
  mutating func recordAnswer(_ body: JSON, reading: CheckReading, _ timing: Timing) -> Conclusion {
    var pages = self.pages?.collection ?? PageCollection(Workflow.Pagination())
    let addition = pages.add(body)
    let isPage = addition != .noPage
    // A link that cannot be followed, or leads back, hides the pages after it.
    let isCutOff = addition == .brokenLink || pages.hasRepeated
    guard !isCutOff || reading.reachesBack(pages.body) else {
      return recordFailure(.cutOffCheck, timing)
    }
    guard isPage || self.pages == nil else { return recordFailure(.unreadableCheck, timing) }
    // Only the first answer has members besides `data`, or is not a page at all.
    let whole = self.pages == nil ? body : pages.body
    let isPartial = isPage && pages.hasMore && !reading.reachesBack(pages.body)
    switch reading.verdict(on: whole) {
    case .unproved(let reason): return .undecided(reason)
    case .found where isPartial, .nothing where isPartial: return scheduleNextPage(pages, timing)
    case .found(let node): return .happened(node)
    case .nothing where !isPage && body.holdsPagedList: return recordFailure(.cutOffCheck, timing)
    case .nothing:
      if scheduleNextCheck(after: timing) { return .open }
      // Graph claims that the first one exists, but does not show it.
      return failure.reason == .duplicate ? .undecided(.hiddenRepetition) : .didNotHappen
    }
  }

  /// Records that a check could not be sent, was refused, or had an unusable answer.
  mutating func recordFailure(_ failure: Failure, _ timing: Timing) -> Conclusion {
    if failure.category == .transient, scheduleNextCheck(after: timing) { return .open }
    return .undecided(.checkFailed(failure))
  }

  private mutating func scheduleNextPage(
    _ collection: PageCollection, _ timing: Timing
  ) -> Conclusion {
    guard collection.pageCount < Doubt.pageLimit else { return .undecided(.tooManyPages) }
    pages = Pages(collection: collection, since: checkedAt(timing))
    step = .scheduled(at: timing.endedAt)
    return .open
  }

  /// Schedules the next check, from the first page on; false if this was the last one.
  ///
  /// The pause doubles from one second. The last check is not sent before reads must have caught up
  /// with writes.
  private mutating func scheduleNextCheck(after timing: Timing) -> Bool {
    let end = since + timing.within
    guard checkedAt(timing) < end else { return false }
    let pause = Duration.seconds(1 << min(checkCount, 10))
    checkCount += 1
    pages = nil
    let time = max(min(timing.endedAt + pause, end), timing.endedAt + (timing.delay ?? .zero))
    step = .scheduled(at: time)
    return true
  }

  /// When a check was sent: with its first page.
  func checkedAt(_ timing: Timing) -> Duration { pages?.since ?? timing.startedAt }
}
