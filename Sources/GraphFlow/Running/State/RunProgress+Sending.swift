import GraphAPI

/// Turns a packed batch into the operations of a call.
extension RunProgress {
  /// Binds a batch's members; completes those that cannot be sent, and those after them wait.
  ///
  /// A write that was never sent needs room for one more write, if their number is limited.
  mutating func bound(
    _ batch: PackedBatch, writesLeft: Int?, _ credentials: inout Credentials
  ) -> (members: [PackedBatch.Member], operations: BoundOperations) {
    var members: [PackedBatch.Member] = []
    members.reserveCapacity(batch.members.count)
    var operations = BoundOperations()
    operations.reserve(batch.members.count)
    var fallen: Set<Int> = []
    var room = writesLeft
    for member in batch.members {
      if member.predecessors.contains(where: fallen.contains) {
        fallen.insert(member.request)
        move(member.request, to: .waiting)
        continue
      }
      if holdBack(member.request, &credentials) {
        fallen.insert(member.request)
        continue
      }
      let isCounted = isLimited(member.request)
      if isCounted, let room, room <= 0 {
        fallen.insert(member.request)
        complete(member.request, Ending(status: .cancelled, failure: .writeLimit))
        continue
      }
      do throws(Failure) {
        try bind(member, credentials, &operations)
        members.append(member)
        if isCounted { room = room.map { $0 - 1 } }
      } catch {
        fallen.insert(member.request)
        complete(member.request, Ending(status: .failed, failure: error))
      }
    }
    return (members, operations)
  }

  /// Whether an instance is a write that was never sent and cleans nothing up.
  private func isLimited(_ instance: Int) -> Bool {
    let request = facts.request(of: instance)
    return request.isWrite && !request.isCleanUp && !self[instance].wasSent
  }

  /// Keeps an instance from being sent if its permissions changed after the packing, or have to be
  /// read again.
  ///
  /// - Returns: Whether it was held back.
  private mutating func holdBack(_ instance: Int, _ credentials: inout Credentials) -> Bool {
    if facts.request(of: instance).permissions.isEmpty { return false }
    if credentials.waits(instance, self) {
      move(instance, to: .waiting)
      return true
    }
    guard let skip = credentials.skip(instance, self) else { return false }
    complete(instance, skip)
    return true
  }

  /// Adds the operation of a member.
  private func bind(
    _ member: PackedBatch.Member, _ credentials: Credentials, _ operations: inout BoundOperations
  ) throws(Failure) {
    let instance = member.request
    let bound: BoundRequest
    if let ready = self[instance].bound, member.references.isEmpty,
      facts.request(of: instance).files.isEmpty
    {
      bound = ready
    } else {
      bound = try self.bound(
        instance, leftToGraph: Set(member.references), readFile: facts.context.readFile)
    }
    switch credentials.standing(of: bound.token, for: instance) {
    case .usable(let token):
      operations.append(bound.operation, with: token, about: bound.subject)
    case .unread(let profile): throw .missingToken(profile)
    case .unusable(let failure): throw failure
    }
  }

  /// The part of a batch that may be sent; the rest waits for a place in another.
  ///
  /// - Returns: nil if not even its first operation may be sent, because Graph counts it as several.
  mutating func shortened(_ batch: PackedBatch, to limit: Int) -> PackedBatch? {
    let members = batch.members
    guard members.count > limit || limit < CallRoom.largest else { return batch }
    var count = 0
    var fitting = members.prefix { member in
      count += self[member.request].bound?.operation.countedCalls ?? 1
      return count <= limit
    }
    if fitting.count == members.count { return batch }
    if fitting.isEmpty {
      guard facts.options.budget == RunBudget() || facts.areCleanUp(batch.requests) else {
        return nil
      }
      fitting = members.prefix(1)
    }
    for member in members.dropFirst(fitting.count) { putBack(member.request) }
    return PackedBatch(members: Array(fitting), closeReason: batch.closeReason)
  }
}

extension RunFacts {
  /// Adds names and `depends_on` to the operations that refer to one another.
  func wired(_ operations: BoundOperations, _ members: [PackedBatch.Member]) -> BoundOperations {
    if members.allSatisfy({ $0.references.isEmpty && $0.dependsOn == nil }) { return operations }
    let pointedTo = Set(members.flatMap { $0.references + [$0.dependsOn].compactMap(\.self) })
    var operations = operations
    for (index, member) in members.enumerated() {
      operations.change(at: index) { operation in
        if pointedTo.contains(member.request) {
          operation.name = graph.wireName(of: member.request)
          // A null in place of its answer would not distinguish success from doubt.
          operation.omitResponseOnSuccess = false
        }
        operation.dependsOn = member.dependsOn.map(graph.wireName(of:))
      }
    }
    return operations
  }
}
