/// What one HTTP call will carry.
struct PackedBatch: Hashable, Sendable {
  /// One request's place in a batch.
  struct Member: Hashable, Sendable {
    let request: Int
    /// The members of the same batch whose results Graph puts into it.
    let references: [Int]
    /// The member that `depends_on` names, where only the order matters.
    let dependsOn: Int?
  }

  /// Why a batch was closed.
  enum End: Hashable, Sendable {
    /// Its one member has a call of its own; nothing in it refers to others.
    case alone
    /// It holds as many operations as a batch may.
    case full
    /// What came next holds more unsafe writes than there was room for.
    case unsafeWrites
    /// What came next stays together, and there was not room for all of it.
    case apart
    /// Nothing more could be sent in this round.
    case nothingReady
  }

  /// Up to the width of requests, each behind what it waits for.
  let members: [Member]
  /// Why there are not more.
  let end: End

  /// The requests, in the order in which they are sent.
  var requests: [Int] { members.map(\.request) }
}
