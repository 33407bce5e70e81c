import GraphAPI

/// The entries of a journal for instances, until the run restores them.
///
/// Items are matched by their keys, so rows may have been added, removed or moved since.
struct RecordedItems: Sendable {
  /// The journal's record of one instance.
  struct Entry: Sendable {
    /// Its last outcome; nil if it was under way or waiting.
    var end: RequestEnd?
    /// The last position of its item; nil outside groups.
    var position: Int?
    var attempts = 0
    var wasSent = false
    var hasTakenEffect = false
    /// When the first attempt was made that may have taken effect.
    var unprovedSince: Timestamp?
    /// The evidence from before that attempt, or before the last one; nil for a write without
    /// confirmation check.
    @Indirect var evidence: WriteEvidence?
    /// Why it is unknown whether the last attempt at a write took effect; nil once that is known.
    @Indirect var doubt: Failure?
    /// Whether this run has restored the instance, and counts its outcome.
    var isAdopted = false
    /// Whether the outcome is that of another run of the job, which this run does not change.
    var isInherited = false
    /// Whether the record is complete although the journal was truncated: the instance was sent
    /// since, or a person has stated that it did not take effect.
    var isKnownSinceLostEnd = false
    /// The id of the run that makes a report.
    var reportRun: String?

    /// Whether it is unknown if it took effect.
    var isDoubtful: Bool { end?.status == .inDoubt || end == nil && doubt != nil }

    /// Whether a resumed run keeps the outcome: it succeeded, is in doubt, or took effect although
    /// its verdict was bad.
    var isFinal: Bool {
      switch end?.status {
      case _ where isInherited: true
      case .succeeded, .inDoubt: true
      case .failed, .skipped, .cancelled: hasTakenEffect
      case nil: false
      }
    }

    /// Clears the doubt and its evidence after a person's decision: the next attempt gets new
    /// evidence.
    ///
    /// People err, so a later attempt that Graph refuses as a duplicate is in doubt nevertheless.
    mutating func clearDoubt() {
      doubt = nil
      evidence = nil
      isKnownSinceLostEnd = true
    }
  }

  private var entries: [Int: [InstanceID: Entry]] = [:]
  /// Whether the journal is truncated, so that requests may have been sent that it does not hold.
  private(set) var hasLostEnd = false

  /// The lists of items without keys, by the first request that is sent for each.
  var lists: [Int: ItemList] = [:]

  /// Whether nothing is recorded.
  var isEmpty: Bool { entries.isEmpty && !hasLostEnd }

  /// Whether an instance is recorded.
  func contains(_ id: InstanceID) -> Bool { entries[id.request]?[id] != nil }

  /// Takes over an outcome of another run of the job, unless this run has sent the request itself.
  mutating func inherit(_ end: RequestEnd) {
    let id = InstanceID(end)
    guard entries[end.request]?[id].map(\.isInherited) ?? true else { return }
    var entry = Entry(end: end, position: end.item?.index)
    entry.isInherited = true
    self[id] = entry
  }

  /// Takes over the outcomes of other runs that another value holds.
  mutating func inherit(from other: RecordedItems) {
    for end in other.entries.values.flatMap(\.values).compactMap(\.end) { inherit(end) }
  }

  /// Records that the journal's end is missing at this point.
  mutating func recordLostEnd() {
    hasLostEnd = true
    for request in entries.keys {
      for id in (entries[request] ?? [:]).keys { self[id].isKnownSinceLostEnd = false }
    }
  }

  /// Whether an instance is in doubt that this run has not restored.
  var hasDoubtLeft: Bool {
    entries.values.contains { items in
      items.values.contains { $0.isDoubtful && !$0.isAdopted && !$0.isInherited }
    }
  }

  /// Whether the missing end of the journal may have held an attempt at a write.
  func isLost(_ entry: Entry, of request: Workflow.Request) -> Bool {
    hasLostEnd && request.isUnsafeWrite && !entry.isFinal && !entry.isKnownSinceLostEnd
  }

  /// Whether the journal holds an item for a request.
  func hasItems(_ request: Int) -> Bool {
    entries[request]?.keys.contains { $0.key != nil } ?? false
  }

  /// The record of an instance.
  subscript(id: InstanceID) -> Entry {
    get { entries[id.request]?[id] ?? Entry() }
    set { entries[id.request, default: [:]][id] = newValue }
  }

  /// Changes the record of an instance, and the position of its item.
  mutating func update(_ request: Int, _ item: ItemID?, _ change: (inout Entry) -> Void) {
    let id = InstanceID(request: request, item: item)
    var entry = self[id]
    change(&entry)
    entry.position = item?.index
    self[id] = entry
  }

  /// The record of an instance that this run restores: the run counts its outcome from now on.
  mutating func adopt(_ id: InstanceID) -> Entry {
    guard let entry = entries[id.request]?[id] else { return Entry() }
    entries[id.request]?[id]?.isAdopted = true
    return entry
  }

  /// A request's instances for items that this run has not opened, in the order of their positions.
  func left(of request: Int) -> [(item: ItemID, entry: Entry)] {
    (entries[request] ?? [:]).compactMap { id, entry in
      guard let key = id.key, !entry.isAdopted else { return nil }
      return (ItemID(index: entry.position ?? 0, key: key), entry)
    }
    .sorted { ($0.item.index, $0.item.key) < ($1.item.index, $1.item.key) }
  }
}
