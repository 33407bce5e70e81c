internal import GraphAPI

/// The result of a run, computed from its events.
///
/// It is the same for a run that has just finished, for an interrupted run, and for a run that is read
/// from its journal. Any sequence of events gives a report; a run without an end is `unfinished`.
public struct Report: Sendable {
  package private(set) var start: RunStart?
  /// The end event; nil if the run has not ended, or was resumed and has not ended again.
  package private(set) var end: RunEnd?
  package private(set) var resumed = 0
  /// Whether the end of its journal, or of that of a run that it replaces, was lost: writes may have
  /// been sent that are not recorded.
  package private(set) var hasLostEnd = false
  /// The last known status of each token's permissions, in the order in which they were first read.
  package private(set) var permissions: [PermissionReading] = []
  /// How the number of calls that may be under way at a time has changed, oldest first.
  package private(set) var concurrency: [ConcurrencyChange] = []
  private(set) var recordedCalls = RecordedCalls()
  private(set) var activeTime = ActiveTime()
  private(set) var instances = ReportInstances()
  private var isInOrder = true
  /// The figures of requests that are no longer kept; nil if all are kept.
  private(set) var released: Released?
  package var calls: [Call] { recordedCalls.calls }
  /// The first thousand pauses.
  var pauses: [Pause] { recordedCalls.pauses }

  /// The result of one request, or of its instance for one item.
  package struct Request: Sendable {
    package let index: Int
    package var facts: RequestFacts { allFacts[index] }
    /// The facts of all requests: one shared array takes less memory than a copy of its own facts.
    let allFacts: [RequestFacts]
    /// The item, with its last known position; nil outside groups, and before a group's first item.
    package internal(set) var item: ItemID?
    package internal(set) var end: RequestEnd?
    package internal(set) var attempts: [Attempt] = []
    /// What is unknown about its last attempt; nil if nothing is.
    package internal(set) var uncertainty: Uncertainty?
    /// Whether it has ended; a resumed run may send again what did not succeed.
    var isSettled = false
  }

  /// What is unknown about a request's last attempt.
  package enum Uncertainty: Hashable, Sendable {
    /// The answer: the attempt was sent, or was about to be sent.
    case underWay
    /// Whether it took effect: confirmation checks are searching for it.
    case beingChecked
  }

  /// One completed attempt of a request.
  package struct Attempt: Hashable, Sendable {
    /// Its number, from 1.
    package let number: Int
    package let call: Int
    package let startedAt: Timestamp
    /// How long its call took, in milliseconds.
    package let durationMilliseconds: Int64
    package let outcome: AttemptOutcome
    /// The operation's HTTP status, or nil if it was not answered.
    package let code: Int?
  }

  /// One HTTP call.
  package struct Call: Sendable {
    package let start: CallStart
    /// The end of the call; nil if the run was interrupted first.
    package internal(set) var end: CallEnd?
  }

  /// A time without calls.
  struct Pause: Sendable {
    /// The last known time before it.
    let from: Timestamp
    let until: Timestamp
    let cause: QuotaPause.Cause
  }

  package init(of events: some Sequence<RunEvent>) { for event in events { apply(event) } }

  /// Applies one more event; one about an unknown request or call changes nothing.
  package mutating func apply(_ event: RunEvent) {
    activeTime.apply(event)
    switch event {
    case .runStarted(let start): applyStart(start)
    case .runResumed:
      resumed += 1
      end = nil
      removeUnopenedGroups()
      instances.lookUpKeys()
      for index in 0..<instances.count where !instances[index].isKeptByResuming {
        instances[index].isSettled = false
      }
    case .permissionsRead(let readings):
      for reading in readings { recordPermission(reading) }
    case .endLost: hasLostEnd = true
    case .tokenRead: break
    case .callStarted(let start):
      for operation in recordedCalls.add(start) {
        guard let place = place(of: operation.request, operation.item) else { continue }
        instances[place].uncertainty = .underWay
      }
    case .callEnded(let end):
      // An operation that Graph did not run has no end of its own, but is no longer in flight.
      for operation in recordedCalls.finish(end) {
        if let place = instances.place(of: operation.request, operation.item) {
          instances[place].uncertainty = nil
        }
      }
    case .concurrencyChanged(let change): concurrency.append(change)
    case .paused(let pause): recordedCalls.add(pause)
    case .baselineRead, .itemsListed, .reportRun: break
    case .attemptEnded(let end): recordAttempt(end)
    case .requestEnded(let end):
      guard let place = place(of: end.request, end.item) else { return }
      instances[place].end = end
      instances[place].uncertainty = nil
      instances[place].isSettled = true
    case .runEnded(let end): self.end = end
    }
  }

  private mutating func applyStart(_ start: RunStart) {
    // Another run of a job, or a changed file.
    if self.start != nil { instances.lookUpKeys() }
    self.start = start
    isInOrder = isInOrder && !start.requests.contains(where: \.isRepeated)
    for (index, facts) in start.requests.enumerated()
    where !facts.isRepeated && !start.isElsewhere(facts) {
      _ = place(of: index, nil)
    }
  }

  /// Removes groups without items, because a resumed run reports their results again.
  private mutating func removeUnopenedGroups() {
    let opened = instances.all.filter { $0.item != nil || !$0.facts.isRepeated }
    if opened.count < instances.count { instances.keepOnly(opened) }
  }

  /// The place of an instance, added if it is new; nil for a request that no start event contains.
  private mutating func place(of request: Int, _ item: ItemID?) -> Int? {
    let known = instances.place(of: request, item)
    guard let facts = start?.requests, facts.indices.contains(request) else { return known }
    guard let known else {
      return instances.append(Request(index: request, allFacts: facts, item: item))
    }
    instances.update(item, at: known)
    return known
  }

  /// The instances in the order of the file and then by item, without the released ones.
  package var requests: [Request] { isInOrder ? instances.all : instances.all.sorted() }
  /// The number of instances, including released ones.
  package var requestCount: Int { instances.count + (released?.summary.requests ?? 0) }

  /// From now on keeps only figures of calls, and those and the failures of released instances.
  mutating func startReleasing() {
    released = released ?? Released()
    isInOrder = false
    recordedCalls.discardCalls()
  }

  /// Removes and returns all instances that have ended, in the order of ``requests``.
  mutating func release() -> [Request] {
    let settled = instances.all.filter(\.isSettled)
    // At the start of 100,000 requests there is nothing yet, and they would be copied for it.
    if settled.isEmpty { return [] }
    instances.keepOnly(instances.all.filter { !$0.isSettled })
    let ordered = isInOrder ? settled : settled.sorted()
    for request in ordered { released?.count(request) }
    return ordered
  }

  /// Whether no later session of the run changes the result of the instance that an event has ended.
  mutating func isKeptByResuming(_ end: RequestEnd) -> Bool {
    instances.place(of: end.request, end.item).map { instances[$0].isKeptByResuming } ?? false
  }

  /// Removes and returns the instance that an event has ended.
  mutating func release(_ end: RequestEnd) -> Request? {
    guard let place = instances.place(of: end.request, end.item) else { return nil }
    let request = instances.remove(at: place)
    released?.count(request)
    return request
  }

  private mutating func recordPermission(_ reading: PermissionReading) {
    let known = permissions.firstIndex {
      $0.token == reading.token && $0.permission == reading.permission
    }
    if let known { permissions[known] = reading } else { permissions.append(reading) }
  }

  private mutating func recordAttempt(_ end: AttemptEnd) {
    guard let place = place(of: end.attempt.request, end.attempt.item) else { return }
    instances[place].uncertainty = end.outcome == .inDoubt ? .beingChecked : nil
    instances[place].attempts.append(
      Attempt(
        number: end.attempt.number, call: end.call, startedAt: end.startedAt,
        durationMilliseconds: end.durationMilliseconds, outcome: end.outcome, code: end.code))
  }
}

extension [Report.Request] {
  fileprivate func sorted() -> [Report.Request] {
    sorted { left, right in
      // An item that was removed from its source may have the same position as another.
      (left.index, left.item?.index ?? -1, left.item?.key ?? "")
        < (right.index, right.item?.index ?? -1, right.item?.key ?? "")
    }
  }
}

extension Report.Request {
  var id: InstanceID { InstanceID(request: index, item: item) }
  /// The name in texts: `publish.post[sku-1]` for an item.
  package var displayName: String { item.map { "\(facts.name)[\($0.key)]" } ?? facts.name }

  /// The outcome, or nil if there is none yet.
  ///
  /// If the run was interrupted while a write was in flight or being checked, it is unknown whether the
  /// write took effect. It is in doubt then, unless it may be repeated.
  package var status: RequestStatus? {
    switch uncertainty {
    case .underWay where facts.method != .get && !facts.isIdempotent: .inDoubt
    case .beingChecked: .inDoubt
    case .underWay, nil: end?.status
    }
  }

  /// How it ended, unless it is in flight again.
  package var currentEnd: RequestEnd? { end.flatMap { $0.status == status ? $0 : nil } }

  /// Whether a resumed run never changes its result.
  ///
  /// A body that contained a secret, or is not kept, may be requested again, and a person may have
  /// resolved a doubt.
  fileprivate var isKeptByResuming: Bool {
    status == .succeeded && end?.isTainted != true && (facts.method != .get || end?.body != nil)
  }

  /// From the start of the first attempt to the end of the last; nil without attempts.
  package var durationMilliseconds: Int64? {
    guard let first = attempts.first, let last = attempts.last else { return nil }
    let waited = last.startedAt.milliseconds.subtractingReportingOverflow(
      first.startedAt.milliseconds)
    let (sum, isTooLong) = waited.partialValue.addingReportingOverflow(last.durationMilliseconds)
    return waited.overflow || isTooLong ? nil : max(0, sum)
  }
}
