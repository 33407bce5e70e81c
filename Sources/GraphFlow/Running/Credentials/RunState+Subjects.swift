import GraphAPI
import JSONPath

/// The subjects whose permissions requests need.
extension RunState {
  /// The subject whose grants decide whether an instance is sent; nil if it is unknown.
  func subject(of instance: Int) -> Permissions.Subject? {
    subject(of: graph.request(of: instance), for: item(of: instance))
  }

  /// The subject whose grants decide about a request, for an item if it is in a group.
  ///
  /// A page token has the grants of the user token that it came from. So a reference is followed to
  /// the request whose answer holds the token. A token from an input or an item is its own subject.
  private func subject(of request: Int, for item: Item?) -> Permissions.Subject? {
    var request = request
    var item = item
    while true {
      let current = workflow.requests[request]
      guard case .reference(let template) = current.token else {
        return profile(of: current).map { .profile($0) }
      }
      // Acyclic, so this ends.
      if let source = origin(of: template, current) {
        if workflow.requests[source].group != current.group { item = nil }
        request = source
        continue
      }
      let bindings = Bindings(
        inputs: inputs,
        run: identity,
        bodies: bodies,
        item: item,
        leftToGraph: []
      )
      let token = try? bindings.token(from: template)
      return token.map { .token($0) }
    }
  }

  /// The request whose answer holds a token, directly or as part of an item; nil if none does.
  private func origin(of template: Template, _ request: Workflow.Request) -> Int? {
    switch template.only?.kind {
    case .result(let reference): return reference.request
    case .item:
      guard let group = request.group,
        case .values(let placeholder) = workflow.groups[group].source
      else { return nil }
      return placeholder.reference?.request
    default: return nil
    }
  }

  /// Whether the subject of a request differs from item to item.
  private func dependsOnItem(_ request: Workflow.Request) -> Bool {
    guard request.group != nil, case .reference(let template) = request.token else { return false }
    if let source = origin(of: template, request) {
      return workflow.requests[source].group == request.group
        && dependsOnItem(workflow.requests[source])
    }
    guard case .item = template.only?.kind else { return false }
    return true
  }

  /// The token that an instance would be sent with, if it is known already.
  func token(of instance: Int) -> AccessToken? {
    let request = request(of: instance)
    guard case .reference(let template) = request.token else {
      return profile(of: request).flatMap { tokens[$0] }
    }
    let token = try? bindings(for: instance).token(from: template)
    return token ?? nil
  }

  /// The name of an instance's token in journal and report: its profile or its reference.
  func tokenName(of instance: Int) -> String {
    let request = request(of: instance)
    guard case .reference(let template) = request.token else {
      return profile(of: request) ?? workflow.token
    }
    guard dependsOnItem(request), let item = item(of: instance) else { return template.text }
    return "\(template.text) of \(item.key)"
  }

  /// Schedules the lookups for the requests whose subjects do not depend on an item.
  mutating func scheduleLookups() {
    guard !readsPermissionsLate else { return }
    for (index, request) in workflow.requests.enumerated()
    where !request.permissions.isEmpty && !instances[index].isFinished && !dependsOnItem(request) {
      scheduleLookups(of: index)
    }
  }

  /// Schedules the lookups for an item's instances.
  mutating func scheduleLookups(ofItem position: Int, _ members: [Int]) {
    guard !readsPermissionsLate else { return }
    for member in members where !workflow.requests[member].permissions.isEmpty {
      let instance = graph.instance(of: member, item: position)
      guard isOpen(instance), !instances[instance].isFinished else { continue }
      if dependsOnItem(workflow.requests[member]) { scheduleLookups(of: instance) }
    }
  }

  /// Schedules the lookup for an instance, unless it is scheduled or finished.
  mutating func scheduleLookups(of instance: Int) {
    guard !request(of: instance).permissions.isEmpty, let subject = subject(of: instance) else {
      return
    }
    let name = permissions.lookups[subject]?.name ?? name(of: subject, for: instance)
    let needed = request(of: instance).permissions
    let isNew = permissions.scheduleLookup(of: needed, for: subject, name: name)
    if isNew, case .token(let token) = subject { mask.record(token) }
  }

  /// Whether permissions are read only when a request that needs them is about to be sent.
  ///
  /// In a resumed run, no remaining request may need them.
  var readsPermissionsLate: Bool { hasReplayed && !options.requiresPermissions }

  private func name(of subject: Permissions.Subject, for instance: Int) -> String {
    guard case .profile(let profile) = subject else { return tokenName(of: instance) }
    return profile
  }
}
