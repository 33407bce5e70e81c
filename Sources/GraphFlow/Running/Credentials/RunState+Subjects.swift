import GraphAPI
import JSONPath

/// Whose permissions a request needs.
extension RunState {
  /// Whose grants decide whether an instance is sent; nil where nobody can tell.
  func subject(of instance: Int) -> Permissions.Subject? {
    subject(of: graph.request(of: instance), for: item(of: instance))
  }

  /// Whose grants decide about a request, for an item if it is of a group.
  ///
  /// Those of a page token are those of the user token it came from, so a reference is followed to
  /// the request that it takes the token from. A token that came in from outside is its own.
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

  /// The request in whose answer a token is found, if it is in one: itself, or with the item that
  /// holds it.
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

  /// Whether who holds a request's permissions differs from item to item.
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

  /// What journal and report call the token of an instance: the profile, or the reference that it
  /// came from.
  func tokenName(of instance: Int) -> String {
    let request = request(of: instance)
    guard case .reference(let template) = request.token else {
      return profile(of: request) ?? workflow.token
    }
    guard dependsOnItem(request), let item = item(of: instance) else { return template.text }
    return "\(template.text) of \(item.key)"
  }

  /// Has the permissions read that the requests need, as far as that is known before any item is.
  mutating func needPermissions() {
    guard !readsPermissionsLate else { return }
    for (index, request) in workflow.requests.enumerated()
    where !request.permissions.isEmpty && !instances[index].isFinished && !dependsOnItem(request) {
      needPermissions(of: index)
    }
  }

  /// Has the permissions read that an item's instances need and nobody has asked for yet.
  mutating func needPermissions(ofItem position: Int, _ members: [Int]) {
    guard !readsPermissionsLate else { return }
    for member in members where !workflow.requests[member].permissions.isEmpty {
      let instance = graph.instance(of: member, item: position)
      guard isOpen(instance), !instances[instance].isFinished else { continue }
      if dependsOnItem(workflow.requests[member]) { needPermissions(of: instance) }
    }
  }

  /// Has the permissions read that an instance needs, unless somebody has asked for them already.
  mutating func needPermissions(of instance: Int) {
    guard !request(of: instance).permissions.isEmpty, let subject = subject(of: instance) else {
      return
    }
    let name = permissions.lookups[subject]?.name ?? name(of: subject, for: instance)
    let needed = request(of: instance).permissions
    let isNew = permissions.need(needed, of: subject, name: name)
    if isNew, case .token(let token) = subject { mask.record(token) }
  }

  /// Whether permissions are read only when something that needs them is about to be sent: of a run
  /// that goes on, nothing that is left may come to that.
  var readsPermissionsLate: Bool { hasReplayed && !options.requiresPermissions }

  private func name(of subject: Permissions.Subject, for instance: Int) -> String {
    guard case .profile(let profile) = subject else { return tokenName(of: instance) }
    return profile
  }
}
