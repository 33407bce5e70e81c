/// What hangs together and could be sent now in one batch.
struct Piece {
  /// What it takes up, if one batch can hold it as a whole.
  let load: Load?
  /// Those that wait for nothing, apart from the one that it was found from.
  let otherRoots: [Int]

  /// A piece that no batch can hold as a whole.
  static let oversized = Piece(load: nil, otherRoots: [])

  /// A request that nothing hangs on: it fits wherever there is room for it.
  static let single = Piece(load: Load(), otherRoots: [])
}

extension Remainder {
  /// What would have to be in one batch with a request that is ready, so that no constraint between
  /// what can be sent now leads out of the batch.
  func piece(around root: Int) -> Piece {
    var isSingle = true
    graph.forEachSuccessor(of: root) { successor in
      if successor.kind != .hard, canFollow(successor.request, atMost: limits.width) {
        isSingle = false
      }
    }
    if isSingle { return .single }
    var members = [root]
    var otherRoots: [Int] = []
    var next = 0
    while next < members.count {
      let member = members[next]
      next += 1
      var isOversized = false
      graph.forEachSuccessor(of: member) { successor in
        guard !isOversized, successor.kind != .hard,
          canFollow(successor.request, atMost: limits.width),
          !members.contains(successor.request),
          let missing = ancestorsToPlace(of: successor.request, beyond: members)
        else { return }
        for ancestor in missing {
          members.append(ancestor)
          if isFree(ancestor) { otherRoots.append(ancestor) }
        }
        isOversized = members.count > limits.width
      }
      if isOversized { return .oversized }
    }
    var load = Load()
    for member in members { load.add(graph.request(of: member), of: graph.requests) }
    return load.batches(limits) > 1 ? .oversized : Piece(load: load, otherRoots: otherRoots)
  }

  /// A follower and all that it still waits for, apart from the members of a piece; nil if it
  /// cannot be sent now, or not in one batch.
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
