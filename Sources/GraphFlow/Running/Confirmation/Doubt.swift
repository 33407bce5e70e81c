import GraphAPI
import JSONPath

/// A write that may have happened, as long as it is looked for.
struct Doubt: Hashable, Sendable {
  /// What it waits for.
  enum Step: Hashable, Sendable {
    /// For the time of the next look.
    case due(at: Duration)
    /// For the answer to a look.
    case underWay(since: Duration)
  }

  /// The pages of a look that does not reach back far enough yet.
  struct Pages: Hashable, Sendable {
    var collection: PageCollection
    var count: Int
    /// When the first of them was asked for.
    let since: Duration
  }

  /// Why its last attempt proves nothing.
  let failure: Failure
  /// The last attempt's HTTP status, if it had one.
  let code: Int?
  /// When the looking began.
  let since: Duration
  /// Before this time it must not be sent again: the server's own word.
  let resendNotBefore: Duration
  /// How many looks were answered, whatever the answer.
  var looks = 0
  var pages: Pages?
  var step: Step

  /// How many pages a look follows; an edge that is busier than that is asked in vain.
  static let pageLimit = 20

  /// When a look was made and answered, and what its answer asks for.
  struct Timing: Sendable {
    /// When the call was made that was answered.
    let startedAt: Duration
    let endedAt: Duration
    /// How long the server wants to be left alone.
    let delay: Duration?
    /// How long reads may lag behind writes.
    let within: Duration
  }

  /// What the answer to a look means for the write.
  enum Conclusion: Hashable, Sendable {
    /// Nothing yet: ``Doubt/step`` says when it is looked for next.
    case open
    /// It happened, and this is what it made.
    case happened(FoundNode)
    /// Reads have caught up, and there is nothing.
    case didNotHappen
    /// Looking cannot tell: a person has to look.
    case undecided(RemainingDoubt)
  }

  /// Takes in the answer to a look, which is one of several pages where it is a page.
  ///
  /// A page that is full of newer nodes proves nothing: neither that there is none, nor that the one
  /// on it is the only one.
  mutating func receive(_ body: JSON, read reading: CheckReading, _ timing: Timing) -> Conclusion {
    var pages = self.pages?.collection ?? PageCollection(Workflow.Pagination())
    let addition = pages.add(body)
    let isPage = addition != .noPage
    // A link that cannot be followed, or leads back, hides what is on the pages after it.
    let isCutOff = addition == .brokenLink || pages.hasRepeated
    guard !isCutOff || reading.reachesBack(pages.body) else {
      return receive(.cutOffCheck, timing)
    }
    guard isPage || self.pages == nil else { return receive(.unreadableCheck, timing) }
    // Members beside `data` are on the first page alone, and so is what is no page at all.
    let whole = self.pages == nil ? body : pages.body
    let isPartial = isPage && pages.hasMore && !reading.reachesBack(pages.body)
    switch reading.verdict(on: whole) {
    case .unproved(let obstacle): return .undecided(.obstacle(obstacle))
    case .found where isPartial, .nothing where isPartial: return turnPage(pages, timing)
    case .found(let node): return .happened(node)
    case .nothing where !isPage && body.holdsPagedList: return receive(.cutOffCheck, timing)
    case .nothing:
      if checksAgain(after: timing) { return .open }
      // Of a repetition Graph says that it is there, and shows it to nobody.
      return failure.reason == .duplicate ? .undecided(.hiddenRepetition) : .didNotHappen
    }
  }

  /// Takes in that a look could not be made, was refused, or was answered with nothing of use.
  mutating func receive(_ failure: Failure, _ timing: Timing) -> Conclusion {
    if failure.category == .transient, checksAgain(after: timing) { return .open }
    return .undecided(.checkFailed(failure))
  }

  /// Asks for the next page.
  private mutating func turnPage(_ collection: PageCollection, _ timing: Timing) -> Conclusion {
    let count = (pages?.count ?? 0) + 1
    guard count < Doubt.pageLimit else { return .undecided(.tooManyPages) }
    pages = Pages(collection: collection, count: count, since: lookedAt(timing))
    step = .due(at: timing.endedAt)
    return .open
  }

  /// Looks again, from the first page on, when it is time; whether this was not the last look.
  ///
  /// The pause doubles from one second, and the last look is not made before reads must have caught
  /// up with writes.
  private mutating func checksAgain(after timing: Timing) -> Bool {
    let end = since + timing.within
    guard lookedAt(timing) < end else { return false }
    let pause = Duration.seconds(1 << min(looks, 10))
    looks += 1
    pages = nil
    let time = max(min(timing.endedAt + pause, end), timing.endedAt + (timing.delay ?? .zero))
    step = .due(at: time)
    return true
  }

  /// When a look was made: with its first page.
  func lookedAt(_ timing: Timing) -> Duration { pages?.since ?? timing.startedAt }
}
