import JSONPath

/// What the answer to a look says of a write that may have happened.
enum CheckVerdict: Hashable, Sendable {
  /// It happened: exactly one node is new, matches, and is no other write's.
  case found(FoundNode)
  /// As far as the answer reaches, it did not happen.
  case nothing
  /// There is a match, and it proves nothing; looking again would not help.
  case unproved(Obstacle)

  /// Why a match proves nothing.
  enum Obstacle: Hashable, Sendable {
    /// Several nodes could be it; their ids.
    case several([String])
    /// A node that matches has no `created_time`, so it may be an old one.
    case undated
    /// A node that matches was made so close to the send that it may have been there before.
    case atBorder
    /// No answer told Graph's time, so a node that matches may have been there before.
    case untimed
    /// A node that matches has no `id`, so it may be another write's.
    case unnamed
    /// What `result` selects is not exactly one node.
    case noResult
    /// Finding the nodes takes more steps than a query may.
    case tooManySteps
  }
}

/// The node that proves a write.
struct FoundNode: Hashable, Sendable {
  /// What becomes the request's body.
  let body: JSON
  /// The ids of what the write has made: they are nobody else's from now on.
  let ids: [String]
}

/// How an answer is read when a write is looked for.
///
/// A node is the write's if it was not there before and was not made before the write was sent, by
/// Graph's clock; and if it is not known to be another write's: two items may have the same text.
struct CheckReading: Sendable {
  /// A query of the answer, with the values of the operands in its filters.
  struct Selection: Sendable {
    let query: Query
    let operands: [[JSON]]
  }

  /// The nodes that the write has made.
  let match: Selection
  /// The node that becomes the request's body; nil for the matching one.
  let result: Selection?
  /// What is known from before the first attempt that proves nothing.
  let evidence: WriteEvidence
  /// The ids that belong to other writes of the run.
  let claimed: ClaimedNodes

  /// What an answer says.
  func verdict(on body: JSON) -> CheckVerdict {
    do throws(CheckObstacle) {
      let matches = try candidates(of: match, in: body)
      guard let first = matches.first else { return .nothing }
      guard matches.count == 1 else { return .unproved(.several(matches.map(\.id))) }
      guard let result else { return .found(FoundNode(body: first.node, ids: [first.id])) }
      let results = try candidates(of: result, in: body)
      guard results.count == 1 else { return .unproved(.noResult) }
      let ids = [first.id] + results.map(\.id).filter { $0 != first.id }
      return .found(FoundNode(body: results[0].node, ids: ids))
    } catch {
      return .unproved(error.obstacle)
    }
  }

  /// Whether pages of an edge reach back to what was there before the write, so that what is not on
  /// them is not on older pages either.
  ///
  /// That is certain only of a list whose newest nodes come first.
  func reachesBack(_ pages: JSON) -> Bool {
    guard let order = NodeOrder(pages), order.isNewestFirst else { return false }
    let last = pages["data"]?.array?.last?["id"]?.idText
    return floor.map { order.last < $0 } ?? last.map(wasThere) ?? false
  }

  /// What was made before this is not the write's; nil where Graph has told no time.
  private var floor: Timestamp? {
    [evidence.sentAt, evidence.baseline?.readAt].compactMap { $0?.earliest }.max()
  }

  private func wasThere(_ id: String) -> Bool { evidence.baseline?.ids.contains(id) ?? false }

  /// Why a node that was not seen before may have been there all the same; nil if it was not.
  private func obstacle(to created: Timestamp?) -> CheckVerdict.Obstacle? {
    let baseline = evidence.baseline
    switch (baseline?.extent, created) {
    case (.whole, _), (.recent, _?): return nil
    case (_, nil): return .undated
    case (.part, let created?), (nil, let created?):
      guard let border = baseline?.readAt ?? evidence.sentAt else { return .untimed }
      return created > border.latest ? nil : .atBorder
    }
  }

  /// The nodes that count, each once.
  private func candidates(
    of selection: Selection,
    in body: JSON
  ) throws(CheckObstacle) -> [(id: String, node: JSON)] {
    let host = LogicalExpression.Host(operands: selection.operands)
    guard let nodes = try? selection.query.nodes(in: body, host: host) else {
      throw CheckObstacle(obstacle: .tooManySteps)
    }
    var candidates: [(id: String, node: JSON)] = []
    for node in nodes.map(\.value) {
      let id = node["id"]?.idText
      // A page may repeat what the page before it held.
      if let id {
        let isKnown = candidates.contains { $0.id == id }
        if isKnown || claimed.contains(id) || wasThere(id) { continue }
      }
      let created = Timestamp(createdTime: node["created_time"])
      if let created, let floor, created < floor { continue }
      guard let id else { throw CheckObstacle(obstacle: .unnamed) }
      if let obstacle = obstacle(to: created) { throw CheckObstacle(obstacle: obstacle) }
      candidates.append((id, node))
    }
    return candidates
  }
}

private struct CheckObstacle: Error {
  let obstacle: CheckVerdict.Obstacle
}

extension JSON {
  /// The value as an id: a text that is not empty, or a number.
  var idText: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .number: serialized()
    default: nil
    }
  }

  /// The ids of what a write has made, as its answer gives them: `id`, and `post_id` of a photo.
  var madeIDs: [String] {
    ["id", "post_id"].compactMap { self[$0]?.idText }
  }
}
