import JSONPath

/// What the answer to a confirmation check proves about a write in doubt.
enum CheckVerdict: Hashable, Sendable {
  /// It happened: exactly one node is new, matches, and belongs to no other write.
  case found(FoundNode)
  /// The answer shows no node of the write.
  case nothing
  /// There is a match, and it proves nothing; another check would not help.
  case unproved(RemainingDoubt)
}

/// The node that proves a write.
struct FoundNode: Hashable, Sendable {
  /// It becomes the request's body.
  let body: JSON
  /// The ids of the nodes that the write created; no other write may claim them.
  let ids: [String]
}

/// How the answer to a confirmation check is read.
///
/// A node belongs to the write if it did not exist before, if it was not created before the write
/// was sent (by Graph's clock), and if no other write of the run claims it: two items may have the
/// same text.
struct CheckReading: Sendable {
  /// A query of the answer, with the values of the operands in its filters.
  struct Selection: Sendable {
    let query: Query
    let operands: [[JSON]]
  }

  let match: Selection
  /// The node that becomes the request's body; nil for the matching one.
  let result: Selection?
  /// The evidence from before the first attempt whose outcome is unknown.
  let evidence: WriteEvidence
  /// The ids that belong to other writes of the run.
  let claimed: ClaimedNodes

  func verdict(on body: JSON) -> CheckVerdict {
    do throws(RemainingDoubt) {
      let matches = try candidates(of: match, in: body)
      guard let first = matches.first else { return .nothing }
      guard matches.count == 1 else { return .unproved(.several(matches.map(\.id))) }
      guard let result else { return .found(FoundNode(body: first.node, ids: [first.id])) }
      let results = try candidates(of: result, in: body)
      guard results.count == 1 else { return .unproved(.noResult) }
      let ids = [first.id] + results.map(\.id).filter { $0 != first.id }
      return .found(FoundNode(body: results[0].node, ids: ids))
    } catch {
      return .unproved(error)
    }
  }

  /// Whether the pages of an edge reach back to the time before the write, so that older pages do
  /// not hold its node.
  ///
  /// That is certain only if the newest nodes come first.
  func reachesBack(_ pages: JSON) -> Bool {
    guard let order = NodeOrder(pages), order.isNewestFirst else { return false }
    let last = pages["data"]?.array?.last?["id"]?.idText
    return floor.map { order.last < $0 } ?? last.map(wasThere) ?? false
  }

  /// The write did not create anything older than this; nil if Graph's time is unknown.
  private var floor: Timestamp? {
    [evidence.sentAt, evidence.baseline?.readAt].compactMap { $0?.earliest }.max()
  }

  private func wasThere(_ id: String) -> Bool { evidence.baseline?.ids.contains(id) ?? false }

  /// Why a node that is not in the baseline may have existed before; nil if it did not.
  private func doubt(about created: Timestamp?) -> RemainingDoubt? {
    let baseline = evidence.baseline
    switch (baseline?.extent, created) {
    case (.whole, _), (.recent, _?): return nil
    case (_, nil): return .undated
    case (.part, let created?), (nil, let created?):
      guard let border = baseline?.readAt ?? evidence.sentAt else { return .untimed }
      return created > border.latest ? nil : .atBorder
    }
  }

  /// The nodes that the write may have created, each once.
  private func candidates(
    of selection: Selection, in body: JSON
  ) throws(RemainingDoubt) -> [(id: String, node: JSON)] {
    let host = LogicalExpression.Host(operands: selection.operands)
    guard let nodes = try? selection.query.nodes(in: body, host: host) else {
      throw .tooManySteps
    }
    var candidates: [(id: String, node: JSON)] = []
    for node in nodes.map(\.value) {
      let id = node["id"]?.idText
      // A page may repeat nodes of the page before it.
      if let id {
        let isKnown = candidates.contains { $0.id == id }
        if isKnown || claimed.contains(id) || wasThere(id) { continue }
      }
      let created = Timestamp(createdTime: node["created_time"])
      if let created, let floor, created < floor { continue }
      guard let id else { throw .unnamed }
      if let doubt = doubt(about: created) { throw doubt }
      candidates.append((id, node))
    }
    return candidates
  }
}
