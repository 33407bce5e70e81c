/// The requests of one HTTP call.
struct PackedBatch: Hashable, Sendable {
  /// One request in a batch.
  struct Member: Hashable, Sendable {
    let request: Int
    /// The members of the same batch whose results Graph fills into it.
    let references: [Int]
    /// The member that `depends_on` names, if only the order matters.
    let dependsOn: Int?
  }

  /// Why a batch was closed.
  enum CloseReason: Hashable, Sendable {
    /// Its one member has a call of its own.
    case alone
    /// It holds as many operations as a batch may.
    case full
    /// The next requests contain more unsafe writes than it had room for.
    case unsafeWrites
    /// The next requests stay together, and it had no room for all of them.
    case apart
    /// Nothing more could be sent in this round.
    case nothingReady
  }

  /// The members, each one after the members that it waits for.
  let members: [Member]
  /// Why it holds no more operations.
  let closeReason: CloseReason

  /// The requests, in the order in which they are sent.
  var requests: [Int] { members.map(\.request) }
}
