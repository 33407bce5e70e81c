package import GraphAPI

/// What is known of all limits, and which limits a token's operations count for.
package struct QuotaSnapshot: Hashable, Sendable {
  /// The records of the limits.
  package var records: [Fingerprint: QuotaRecord] = [:]
  /// The limits of business objects that a token's operations count for.
  package var links: [Fingerprint: Set<Fingerprint>] = [:]

  /// Creates an empty snapshot.
  package init() {}

  /// Whether the snapshot holds nothing.
  package var isEmpty: Bool { records.isEmpty && links.isEmpty }

  /// Merges what another process found out.
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
