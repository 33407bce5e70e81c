import GraphAPI

/// What a journal knows of instances of items, before their items are open again.
///
/// Items are matched by their keys, so rows may have been added, removed or moved in between.
struct RecordedItems: Sendable {
  /// What is known of one instance.
  struct Entry: Sendable {
    /// Its last outcome; nil if it was under way or waiting.
    @Indirect var end: RequestEnd?
    /// Where its item was last; nil outside groups.
    var position: Int?
    var attempts = 0
    var wasSent = false
    var hasTakenEffect = false
    /// When the first attempt was made of which nobody knows whether it took effect.
    var unprovedSince: Timestamp?
    /// What is known from before that attempt, or the last one, if the write can be looked for.
    @Indirect var evidence: WriteEvidence?
    /// Why the last attempt proves nothing, if it was that of a write and nothing has ended the
    /// doubt yet.
    @Indirect var doubt: Failure?
    /// Whether this run has opened its item, and counts its outcome.
    var isAdopted = false
    /// Whether the journal knows all of it again although its end was lost: it was sent since, or a
    /// person has said that it did not happen.
    var isKnownSinceLostEnd = false

    /// Whether nobody knows if it took effect.
    var isDoubtful: Bool { end?.status == .inDoubt || end == nil && doubt != nil }

    /// Whether it stays as it is: what succeeded, what is in doubt, and what took effect although
    /// its verdict was bad.
    var isFinal: Bool {
      switch end?.status {
      case .succeeded, .inDoubt: true
      case .failed, .skipped, .cancelled: hasTakenEffect
      case nil: false
      }
    }

    /// Notes what a person has found out: a look for the next attempt compares with what there is
    /// by then.
    ///
    /// Persons err, so a later attempt that Graph takes for a repetition is in doubt all the same.
    mutating func clearDoubt() {
      doubt = nil
      evidence = nil
      isKnownSinceLostEnd = true
    }
  }

  private var entries: [Int: [InstanceID: Entry]] = [:]
  /// Whether the end of the journal was lost, so that something was sent of which nothing is known.
  private(set) var hasLostEnd = false

  /// The lists of items without keys, by the first request that is sent for each.
  var lists: [Int: ItemList] = [:]

  /// Notes that what comes next in the journal comes after a part that was lost.
  mutating func recordLostEnd() {
    hasLostEnd = true
    for request in entries.keys {
      for id in (entries[request] ?? [:]).keys { self[id].isKnownSinceLostEnd = false }
    }
  }

  /// Whether something is in doubt whose item this run has not opened.
  var hasDoubtLeft: Bool {
    entries.values.contains { items in
      items.values.contains { $0.isDoubtful && !$0.isAdopted }
    }
  }

  /// Whether an item of a request's group was open.
  func hasItems(_ request: Int) -> Bool {
    entries[request]?.keys.contains { $0.key != nil } ?? false
  }

  /// What is known of an instance.
  subscript(id: InstanceID) -> Entry {
    get { entries[id.request]?[id] ?? Entry() }
    set { entries[id.request, default: [:]][id] = newValue }
  }

  /// What is known of an instance, whose outcome this run counts from now on.
  mutating func adopt(_ id: InstanceID) -> Entry {
    guard let entry = entries[id.request]?[id] else { return Entry() }
    entries[id.request]?[id]?.isAdopted = true
    return entry
  }

  /// The instances of a request for items that this run has not opened, in the order of their
  /// positions.
  func left(of request: Int) -> [(item: ItemID, entry: Entry)] {
    (entries[request] ?? [:]).compactMap { id, entry in
      guard let key = id.key, !entry.isAdopted else { return nil }
      return (ItemID(index: entry.position ?? 0, key: key), entry)
    }
    .sorted { ($0.item.index, $0.item.key) < ($1.item.index, $1.item.key) }
  }
}
