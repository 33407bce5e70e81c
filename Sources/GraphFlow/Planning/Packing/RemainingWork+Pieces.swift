/// Dependent instances that could be sent now in one batch.
struct Piece {
  /// Its load, if one batch can hold it as a whole.
  let load: Load?
  /// The instances in it that wait for nothing, without the one that it was found from.
  let otherRoots: [Int]

  /// A piece that no batch can hold as a whole.
  static let oversized = Piece(load: nil, otherRoots: [])

  /// A request that nothing depends on; it fits wherever there is room for one request.
  static let single = Piece(load: Load(), otherRoots: [])
}

extension RemainingWork {
  /// The instances that have to share a batch with a ready request, so that no constraint between
  /// instances that can be sent now leads out of the batch.
  func piece(around root: Int, by list: PriorityList) -> Piece {
    guard graph.hasSuccessors(root) else { return .single }
    var followers = self.followers(of: root, list)
    if followers.isEmpty { return .single }
    var members = [root]
    var otherRoots: [Int] = []
    var next = 0
    while true {
      for follower in followers where !members.contains(follower) {
        guard let missing = ancestorsToPlace(of: follower, beyond: members) else { continue }
        members += missing.map { list.place(of: $0, in: graph) }.sorted().map(\.instance)
        otherRoots += missing.filter(isFree)
        if members.count > limits.width { return .oversized }
      }
      next += 1
      guard next < members.count else { break }
      followers = self.followers(of: members[next], list)
    }
    var load = Load()
    for member in members { load.add(graph.request(of: member), of: graph.requests) }
    return load.batches(limits) > 1 ? .oversized : Piece(load: load, otherRoots: otherRoots)
  }

  /// The successors that might share a request's batch, in the order of a list, because what fits
  /// into a piece must not depend on the order of the file.
  private func followers(of request: Int, _ list: PriorityList) -> [Int] {
    var places: [PriorityList.Place] = []
    graph.forEachSuccessor(of: request) { successor in
      if successor.kind != .hard, canFollow(successor.request, atMost: limits.width) {
        places.append(list.place(of: successor.request, in: graph))
      }
    }
    return places.sorted().map(\.instance)
  }

  /// A follower and everything that it still waits for, without the members of a piece; nil if these
  /// cannot be sent now in one batch.
  private func ancestorsToPlace(of follower: Int, beyond members: [Int]) -> [Int]? {
    var found = [follower]
    var next = 0
    while next < found.count {
      let request = found[next]
      next += 1
      guard status(of: request) != .placed, !graph.requests.isAlone[graph.request(of: request)],
        canFollow(request, atMost: limits.width)
      else { return nil }
      if isFree(request) {
        guard status(of: request) == .ready else { return nil }
        continue
      }
      var canBeSent = true
      graph.forEachPredecessor(of: request) { predecessor in
        guard canBeSent, !hasSettled(predecessor.request) else { return }
        if !members.contains(predecessor.request), !found.contains(predecessor.request) {
          found.append(predecessor.request)
          canBeSent = members.count + found.count <= limits.width
        }
      }
      guard canBeSent else { return nil }
    }
    return found
  }
}
