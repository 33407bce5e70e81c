import GraphAPI

/// What a journal knows of instances of items, before their items are open again.
///
/// Items are matched by their keys, so rows may have been added, removed or moved in between.
struct RecordedItems: Sendable {
  /// What is known of one instance.
  struct Entry: Sendable {
    /// Its last outcome; nil if it was under way or waiting.
    @Rare var end: RequestEnd?
    var attempts = 0
    var wasSent = false
    var hasTakenEffect = false
    /// When the first attempt was made of which nobody knows whether it took effect.
    var unprovedSince: Timestamp?
    /// Why the last attempt proves nothing, if it was that of a write and nothing has ended the
    /// doubt yet.
    @Rare var doubt: Failure?
    /// Whether this run has taken up its doubt, and counts it.
    var isTakenUp = false
    /// Whether the journal knows all of it again although its end was lost: it was sent since, or a
    /// person has said that it did not happen.
    var isKnownSinceLoss = false

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
  }

  private var entries: [Int: [String: Entry]] = [:]
  /// Whether the end of the journal was lost, so that something was sent of which nothing is known.
  private(set) var hasLostEnd = false

  /// Notes that what comes next in the journal comes after a part that was lost.
  mutating func noteLostEnd() {
    hasLostEnd = true
    for request in entries.keys {
      for key in (entries[request] ?? [:]).keys { self[request, key].isKnownSinceLoss = false }
    }
  }

  /// Whether something is in doubt whose item this run has not opened.
  var hasDoubtLeft: Bool {
    entries.values.contains { items in
      items.values.contains { $0.isDoubtful && !$0.isTakenUp }
    }
  }

  /// Whether an item of a request's group was open; what is known under no key is of the group as
  /// a whole, unless it was sent.
  func hasItems(_ request: Int) -> Bool {
    entries[request]?.contains { !$0.key.isEmpty || $0.value.wasSent } ?? false
  }

  /// What is known of the instance of a request for the item with a key.
  subscript(request: Int, key: String) -> Entry {
    get { entries[request]?[key] ?? Entry() }
    set { entries[request, default: [:]][key] = newValue }
  }
}
