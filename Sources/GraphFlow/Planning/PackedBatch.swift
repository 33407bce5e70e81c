/// What one HTTP call will carry.
enum PackedBatch: Hashable, Sendable {
  /// One request in a call of its own.
  case alone(Int)
  /// Up to the width of requests, each behind what it waits for.
  case shared([Member])

  /// One request's place in a batch.
  struct Member: Hashable, Sendable {
    /// The request's index.
    let request: Int
    /// The members of the same batch whose results Graph puts into it.
    let references: [Int]
    /// The member that `depends_on` names, where only the order matters.
    let dependsOn: Int?
  }

  /// The members; a request that travels alone has nothing in its batch to refer to.
  var members: [Member] {
    switch self {
    case .alone(let request): [Member(request: request, references: [], dependsOn: nil)]
    case .shared(let members): members
    }
  }

  /// The requests, in the order in which they are sent.
  var requests: [Int] {
    switch self {
    case .alone(let request): [request]
    case .shared(let members): members.map(\.request)
    }
  }
}
