package import GraphAPI

/// Shares what is known of Graph's limits with other processes and later runs.
package protocol QuotaStore: Sendable {
  /// Stores changes and returns what is known of all limits.
  ///
  /// Returns nil after a failure; a later call then repeats the same changes. The quota is only
  /// advice: a run works without it.
  func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot?
}

/// What is known of all limits.
package struct QuotaSnapshot: Hashable, Sendable {
  package var records: [Fingerprint: QuotaRecord] = [:]
  /// The limits of business objects that a token's operations count for.
  package var links: [Fingerprint: Set<Fingerprint>] = [:]

  package init() {}

  package var isEmpty: Bool { records.isEmpty && links.isEmpty }

  package mutating func merge(_ changes: QuotaSnapshot, at now: Timestamp) {
    for (key, change) in changes.records {
      records[key, default: QuotaRecord()].merge(change, at: now)
    }
    for (key, limits) in changes.links { links[key, default: []].formUnion(limits) }
  }

  /// Removes what is too old to be of use.
  package mutating func prune(at now: Timestamp) {
    records = records.filter { $0.value.isWorthKeeping(at: now) }
    links = links.compactMapValues { limits in
      let known = limits.filter { records[$0] != nil }
      return known.isEmpty ? nil : known
    }
  }
}
