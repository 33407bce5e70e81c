import GraphAPI
import JSONPath

/// The subjects whose permissions requests need.
extension Credentials {
  /// The subject whose grants decide whether an instance is sent; nil if it is unknown.
  ///
  /// A page token has the grants of the user token that it came from. So a reference is followed to
  /// the request whose answer holds the token. A token from an input or an item is its own subject.
  func subject(of instance: Int, _ progress: RunProgress) -> Permissions.Subject? {
    let facts = progress.facts
    var request = facts.graph.request(of: instance)
    var item = progress.items.item(of: instance)
    while true {
      let current = facts.workflow.requests[request]
      guard let template = current.token.source else {
        return facts.profile(of: request).map { .profile($0) }
      }
      // Acyclic, so this ends.
      if let source = facts.workflow.origin(of: template, current) {
        if facts.workflow.requests[source].group != current.group { item = nil }
        request = source
        continue
      }
      let bindings = Bindings(
        inputs: facts.inputs, run: facts.identity, bodies: progress.bodies, item: item,
        leftToGraph: [])
      let token = try? bindings.token(of: current)
      return token.map { .token($0) }
    }
  }

  /// The token that an instance would be sent with, if it is known already.
  func token(of instance: Int, _ progress: RunProgress) -> AccessToken? {
    let request = progress.facts.request(of: instance)
    guard request.token.source != nil else {
      return progress.facts.profile(of: instance).flatMap { tokens[$0] }
    }
    let token = try? progress.bindings(for: instance).token(of: request)
    return token ?? nil
  }

  /// The lane of each member of a batch; nil without a token.
  ///
  /// A member that another one precedes is bound when it is sent: its lane is taken to be the same.
  func lanes(
    of members: [PackedBatch.Member], _ progress: RunProgress, _ pacer: Pacer
  ) -> [Lane?] {
    var lanes: [Lane?] = []
    lanes.reserveCapacity(members.count)
    var last: (subject: Lane.Subject, lane: Lane)?
    for member in members {
      let bound = progress[member.request].bound
      guard let token = bound?.token ?? token(of: member.request, progress) else {
        lanes.append(nil)
        continue
      }
      guard let subject = bound?.subject else {
        let place = members.firstIndex { $0.request == member.predecessors.first }
        let leader = place.flatMap { lanes.indices.contains($0) ? lanes[$0] : nil }
        lanes.append(leader?.token == token ? leader : Lane(token: token))
        continue
      }
      if last?.subject != subject || last?.lane.token != token {
        last = (subject, pacer.lane(of: token, subject))
      }
      lanes.append(last?.lane)
    }
    return lanes
  }

  /// The name of an instance's token in journal and report: its profile or its reference.
  func tokenName(of instance: Int, _ progress: RunProgress) -> String {
    let request = progress.facts.request(of: instance)
    guard let template = request.token.source else {
      return progress.facts.profile(of: instance) ?? progress.facts.workflow.token
    }
    guard progress.facts.dependsOnItem(request), let item = progress.items.item(of: instance) else {
      return template.text
    }
    return "\(template.text) of \(item.key)"
  }
}

extension RunFacts {
  /// Whether the subject of a request differs from item to item.
  func dependsOnItem(_ request: Workflow.Request) -> Bool {
    guard request.group != nil, let template = request.token.source else { return false }
    if let source = workflow.origin(of: template, request) {
      return workflow.requests[source].group == request.group
        && dependsOnItem(workflow.requests[source])
    }
    guard case .item = template.only?.kind else { return false }
    return true
  }
}
