package import GraphAPI

/// What is known of all limits, and which token is under which.
package struct QuotaSnapshot: Hashable, Sendable {
  /// The limits.
  package var records: [Fingerprint: QuotaRecord] = [:]
  /// The limits for business objects that a token's operations have been counted for.
  package var links: [Fingerprint: Set<Fingerprint>] = [:]

  /// A book without entries.
  package init() {}

  /// Whether there is nothing in it.
  package var isEmpty: Bool { records.isEmpty && links.isEmpty }

  /// Takes in what another process has found out.
  package mutating func take(_ changes: QuotaSnapshot, at now: Timestamp) {
    for (key, change) in changes.records {
      records[key, default: QuotaRecord()].take(change, at: now)
    }
    for (key, limits) in changes.links { links[key, default: []].formUnion(limits) }
  }

  /// Forgets what is of no use any more.
  package mutating func prune(at now: Timestamp) {
    records = records.filter { $0.value.isWorthKeeping(at: now) }
    links = links.compactMapValues { limits in
      let known = limits.filter { records[$0] != nil }
      return known.isEmpty ? nil : known
    }
  }
}
