internal import GraphAPI

/// What a run came to: a fold over its events.
///
/// The same for a run just finished, an interrupted one and one read back from the journal. Any
/// sequence of events gives a report; a run without an end is `unfinished`.
public struct Report: Sendable {
  /// What was known when the run started; nil if the events do not tell.
  package private(set) var start: RunStart?
  /// How the run ended; nil while it has not, or has not again since it was resumed.
  package private(set) var end: RunEnd?
  /// How often the run was resumed.
  package private(set) var resumed = 0
  /// Whether an end of the journal was lost, its own or that of a run that this one replaces: writes
  /// may have been sent of which nothing is known.
  package private(set) var hasLostEnd = false
  /// What each token's permissions were last found to be, in the order they were first asked for.
  package private(set) var permissions: [PermissionReading] = []
  /// The HTTP calls, in the order they were started.
  package private(set) var calls: [Call] = []

  /// How long the sessions took in which the run was at work.
  private(set) var activity = ActiveTime()

  private var callIndices: [Int: Int] = [:]
  /// The operations of the calls that are not over.
  private var underWay: [Int: [AttemptID]] = [:]
  /// The instances in the order in which they were first heard of, as long as none was released.
  private(set) var instances: [Request] = []
  private var places: [InstanceID: Int] = [:]
  private var isInOrder = true
  /// How many calls carried requests.
  private(set) var carryingCalls = 0
  /// What became of requests that are not kept, nil as long as all are.
  private(set) var released: Released?

  /// What became of one request, for one item if it is sent for each of several.
  package struct Request: Sendable {
    /// The index of the request in the file.
    package let index: Int
    /// What the file says of it.
    package var facts: RequestFacts { allFacts[index] }
    /// What the file says of all requests: one reference, where its own facts are many.
    let allFacts: [RequestFacts]
    /// The item, at the position where it was last heard of; nil outside groups, and for a group
    /// that never came to an item.
    package internal(set) var item: ItemID?
    /// Its final outcome; nil if it has none yet.
    package internal(set) var end: RequestEnd? {
      get { ending.wrappedValue }
      set { ending.wrappedValue = newValue }
    }
    /// The final outcome's box, to look at parts of it without a copy of the rest.
    private(set) var ending = Indirect<RequestEnd>(wrappedValue: nil)
    /// Its tries that are over.
    package internal(set) var attempts: [Attempt] = []
    /// What nobody knows yet of its last try; nil if all is known.
    package internal(set) var uncertainty: Uncertainty?
    /// Whether it ended for good: a resumed run may try again what did not succeed.
    var isSettled = false

    init(index: Int, allFacts: [RequestFacts], item: ItemID?) {
      self.index = index
      self.allFacts = allFacts
      self.item = item
    }
  }

  /// What nobody knows of a request's last try.
  package enum Uncertainty: Hashable, Sendable {
    /// What came back: it was sent, or about to be.
    case underWay
    /// Whether it took effect: it is looked for.
    case beingChecked
  }

  /// One try of a request that is over.
  package struct Attempt: Hashable, Sendable {
    /// Its number, from 1.
    package let number: Int
    /// The call that carried it.
    package let call: Int
    /// When its call started.
    package let startedAt: Timestamp
    /// How long its call took, in milliseconds.
    package let durationMilliseconds: Int64
    /// How it ended.
    package let outcome: AttemptOutcome
    /// The operation's HTTP status, or nil if it was not answered.
    package let code: Int?
  }

  /// One HTTP call.
  package struct Call: Sendable {
    /// What was known when it was sent.
    package let start: CallStart
    /// How it ended; nil if the run was interrupted first.
    package internal(set) var end: CallEnd?
  }

  /// Folds events, in their order.
  package init(of events: some Sequence<RunEvent>) {
    for event in events { receive(event) }
  }

  /// Takes in one more event.
  ///
  /// An event about a request or a call that was never announced changes nothing.
  package mutating func receive(_ event: RunEvent) {
    activity.note(event)
    switch event {
    case .runStarted(let start): receive(start)
    case .runResumed:
      resumed += 1
      end = nil
      forgetUnopenedGroups()
      for index in instances.indices where !instances[index].isKeptByResuming {
        instances[index].isSettled = false
      }
    case .permissionsRead(let readings):
      for reading in readings { receive(reading) }
    case .endLost: hasLostEnd = true
    case .tokenRead: break
    case .callStarted(let start): receive(start)
    case .callEnded(let end):
      if let index = callIndices[end.number] { calls[index].end = end }
      // What Graph did not run has no attempt that ends, but is under way no more.
      for operation in underWay.removeValue(forKey: end.number) ?? [] {
        if let known = places[InstanceID(operation)] { instances[known].uncertainty = nil }
      }
    case .baselineRead, .itemsListed, .paused: break
    case .attemptEnded(let end): receive(end)
    case .requestEnded(let end):
      guard let place = place(of: end.request, end.item) else { return }
      instances[place].end = end
      instances[place].uncertainty = nil
      instances[place].isSettled = true
    case .runEnded(let end): self.end = end
    }
  }

  private mutating func receive(_ start: RunStart) {
    self.start = start
    isInOrder = isInOrder && !start.requests.contains(where: \.isRepeated)
    for (index, facts) in start.requests.enumerated() where !facts.isRepeated {
      _ = place(of: index, nil)
    }
  }

  /// A resumed run says again what becomes of groups that came to no item.
  private mutating func forgetUnopenedGroups() {
    let opened = instances.filter { $0.item != nil || !$0.facts.isRepeated }
    if opened.count < instances.count { keepOnly(opened) }
  }

  private mutating func keepOnly(_ kept: [Request]) {
    instances = kept
    places = [:]
    for (index, instance) in kept.enumerated() { places[instance.id] = index }
  }

  /// Where an instance stands, which is made room for when it is first heard of; nil for what no
  /// start announced.
  private mutating func place(of request: Int, _ item: ItemID?) -> Int? {
    let id = InstanceID(request: request, item: item)
    if let known = places[id] {
      if instances[known].item?.index != item?.index { instances[known].item = item }
      return known
    }
    guard let facts = start?.requests, facts.indices.contains(request) else { return nil }
    places[id] = instances.count
    instances.append(Request(index: request, allFacts: facts, item: item))
    return instances.count - 1
  }

  /// The instances of requests: in the file's order, those of one request by item.
  ///
  /// Of those that were released only the first problems are among them.
  package var requests: [Request] {
    isInOrder ? instances : (instances + (released?.problems ?? [])).sorted()
  }

  /// The instances that were not released, in the order of ``requests``.
  var unreleased: [Request] { instances.sorted() }

  /// How many instances there are, whether they are kept or not.
  package var requestCount: Int { instances.count + (released?.summary.requests ?? 0) }

  /// Keeps from now on figures and problems only: calls are forgotten, and instances once they are
  /// taken with ``release()`` or ``release(_:)``.
  mutating func startReleasing() {
    released = released ?? Released()
    isInOrder = false
    calls = []
    callIndices = [:]
  }

  /// Takes out all instances that ended for good, in the order of ``requests``.
  mutating func release() -> [Request] {
    let settled = unreleased.filter(\.isSettled)
    keepOnly(instances.filter { !$0.isSettled })
    for request in settled { released?.count(request) }
    return settled
  }

  /// Takes out the instance that an event has ended.
  mutating func release(_ end: RequestEnd) -> Request? {
    let id = InstanceID(end)
    guard let index = places[id], instances[index].isSettled else { return nil }
    places[id] = nil
    // Swapped, because copying one costs more than moving two.
    instances.swapAt(index, instances.count - 1)
    let request = instances.removeLast()
    if index < instances.count { places[instances[index].id] = index }
    released?.count(request)
    return request
  }

  private mutating func receive(_ reading: PermissionReading) {
    let known = permissions.firstIndex {
      $0.token == reading.token && $0.permission == reading.permission
    }
    if let known { permissions[known] = reading } else { permissions.append(reading) }
  }

  private mutating func receive(_ start: CallStart) {
    if released == nil {
      callIndices[start.number] = calls.count
      calls.append(Call(start: start))
    }
    guard start.kind.carriesOperations else { return }
    carryingCalls += 1
    underWay[start.number] = start.operations
    for operation in start.operations {
      guard let place = place(of: operation.request, operation.item) else { continue }
      instances[place].uncertainty = .underWay
    }
  }

  private mutating func receive(_ end: AttemptEnd) {
    guard let place = place(of: end.attempt.request, end.attempt.item) else { return }
    instances[place].uncertainty = end.outcome == .inDoubt ? .beingChecked : nil
    instances[place].attempts.append(
      Attempt(
        number: end.attempt.number,
        call: end.call,
        startedAt: end.startedAt,
        durationMilliseconds: end.durationMilliseconds,
        outcome: end.outcome,
        code: end.code
      )
    )
  }
}

extension [Report.Request] {
  fileprivate func sorted() -> [Report.Request] {
    sorted { left, right in
      // An item that is no longer in its source may share its position with another.
      (left.index, left.item?.index ?? -1, left.item?.key ?? "")
        < (right.index, right.item?.index ?? -1, right.item?.key ?? "")
    }
  }
}

extension Report.Request {
  fileprivate var id: InstanceID { InstanceID(request: index, item: item) }

  /// The name that people see: `publish.post[sku-1]` for an item.
  package var displayName: String { item.map { "\(facts.name)[\($0.key)]" } ?? facts.name }

  /// The outcome, or nil if there is none yet.
  ///
  /// Where the run was interrupted while a write was under way or looked for, nobody knows whether
  /// it took effect: it is in doubt, unless it may be repeated.
  package var status: RequestStatus? {
    switch uncertainty {
    case .underWay where facts.method != .get && !facts.isIdempotent: .inDoubt
    case .beingChecked: .inDoubt
    case .underWay, nil: ending.projectedValue?.value.status
    }
  }

  /// Whether a resumed run leaves it as it is in any case.
  ///
  /// A body that held a secret may be asked for again, and a person may have ended a doubt.
  fileprivate var isKeptByResuming: Bool {
    status == .succeeded && ending.projectedValue?.value.isTainted != true
  }

  /// From the start of the first try to the end of the last, in milliseconds; nil without any.
  package var durationMilliseconds: Int64? {
    guard let first = attempts.first, let last = attempts.last else { return nil }
    let waited = last.startedAt.milliseconds.subtractingReportingOverflow(
      first.startedAt.milliseconds
    )
    let (sum, isTooLong) = waited.partialValue.addingReportingOverflow(last.durationMilliseconds)
    return waited.overflow || isTooLong ? nil : max(0, sum)
  }
}

extension CallKind {
  /// Whether a call of this kind carries the workflow's requests.
  var carriesOperations: Bool {
    switch self {
    case .batch, .single: true
    case .confirm, .auth: false
    }
  }
}
