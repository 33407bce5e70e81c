/// The requests of one HTTP call.
struct PackedBatch: Hashable, Sendable {
  /// One request in a batch.
  struct Member: Hashable, Sendable {
    let request: Int
    /// The members of the same batch whose results Graph fills into it.
    let references: [Int]
    /// The member that `depends_on` names, if only the order matters.
    let dependsOn: Int?

    /// The members that come before it.
    var predecessors: [Int] { references + [dependsOn].compactMap(\.self) }
  }

  /// Each one after the members that it waits for.
  let members: [Member]
  let closeReason: CloseReason

  /// In the order in which they are sent.
  var requests: [Int] { members.map(\.request) }
}

/// Why a batch holds no more operations.
package enum CloseReason: Hashable, Sendable {
  /// A request that waits for the answer of another.
  package struct Wait: Hashable, Sendable {
    let request: Int
    let predecessor: Int
  }

  /// Its one operation has a call of its own.
  case alone
  /// It holds as many operations as a batch may.
  case full
  /// The next requests contain more unsafe writes than it had room for.
  case unsafeWrites
  /// The next requests stay together, and it had no room for all of them.
  case apart
  /// Nothing more could be sent in this round; in a plan, nothing is left to send.
  case nothingLeft
  /// In a plan, the remaining requests wait for answers; the first few of these waits.
  case waits([Wait])
  /// In a plan, more items are read when some of the open ones have finished.
  case window
}
