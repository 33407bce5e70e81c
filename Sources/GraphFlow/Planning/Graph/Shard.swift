internal import Crypto

/// The part of a job that one run performs, beside the runs of the other parts.
///
/// The runs of a job share a workflow file, its inputs, a profile and a run key. They may be on several
/// hosts. Items are divided by a hash of their keys. What runs once, outside groups, has parts of its
/// own.
package struct Shard: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  /// The requests of a part.
  package enum Part: Hashable, Sendable {
    /// The requests outside groups that a group needs, directly or not.
    case prologue
    /// All groups, for the items of this shard; from 1.
    case items(Int)
    /// The other requests outside groups, and the outputs that are not rows.
    case epilogue

    /// The phase of the job, which is a fact about each request.
    var phase: JobPhase {
      switch self {
      case .prologue: .prologue
      case .items: .items
      case .epilogue: .epilogue
      }
    }
  }

  package let part: Part
  /// The number of shards that divide the items; at least 2.
  package let count: Int

  /// The largest number of shards.
  package static let maximumCount = 10_000

  package init(_ part: Part, of count: Int) { (self.part, self.count) = (part, count) }

  /// Reads `3/8`, `prologue/8` or `epilogue/8`.
  package init?(rawValue text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, let count = Int(words[1]), (2...Self.maximumCount).contains(count),
      String(count) == words[1]
    else { return nil }
    switch words[0] {
    case "prologue": self.init(.prologue, of: count)
    case "epilogue": self.init(.epilogue, of: count)
    case let word:
      guard let number = Int(word), (1...count).contains(number), String(number) == word else {
        return nil
      }
      self.init(.items(number), of: count)
    }
  }

  package var rawValue: String {
    switch part {
    case .prologue: "prologue/\(count)"
    case .items(let number): "\(number)/\(count)"
    case .epilogue: "epilogue/\(count)"
    }
  }

  package var description: String { rawValue }

  /// Whether it performs the requests of a phase.
  package func performs(_ phase: JobPhase) -> Bool { part.phase == phase }

  /// Whether an item with this key is one of its items.
  ///
  /// The shard of an item is the first eight bytes of the key's SHA-256, as a big-endian number, modulo
  /// the number of shards, plus 1. It is a promise: runs of different versions share a job.
  package func holds(key: String) -> Bool {
    guard case .items(let number) = part else { return true }
    let hash = SHA256.hash(data: Array(key.utf8)).prefix(8).reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int(hash % UInt64(count)) + 1 == number
  }
}

/// What happens one after the other in a job.
package enum JobPhase: String, Hashable, Sendable {
  case prologue, items, epilogue
  /// It has happened before the run, which takes over the outcome.
  case earlier
}
