import JSONPath

/// Subscriptions to webhooks.
extension Writer {
  /// `POST {application}/subscriptions`: replaces the one to the same type of object.
  func subscribe(_ application: GraphObject, _ objects: inout ObjectTable) throws(GraphFault) {
    try session.requireApplicationToken()
    let subscription = try WebhookSubscription(parameters, version: version)
    let handshake = handshakes.first { $0.isFor(subscription, parameters) }
    let missing = Handshake(callback: subscription.callback, verifyToken: nil, challenge: "")
    if let fault = (handshake ?? missing).fault { throw fault }
    var all = WebhookSubscription.all(of: application)
    let index = all.firstIndex { $0.object == subscription.object }
    if let index { all[index] = subscription } else { all.append(subscription) }
    WebhookSubscription.set(all, of: application.id, in: &objects)
  }

  /// `DELETE {application}/subscriptions`: of one type of object, or of all; of some fields, or whole.
  func unsubscribe(
    _ application: GraphObject, _ objects: inout ObjectTable
  ) throws(GraphFault) {
    try session.requireApplicationToken()
    let (object, fields) = (parameters["object"], parameters.words("fields"))
    guard object.map(WebhookSubscription.objects.contains) ?? true else {
      throw .numbered(100, "Invalid parameter")
    }
    let rest = WebhookSubscription.all(of: application).compactMap { one in
      object == nil || object == one.object ? one.without(fields) : one
    }
    WebhookSubscription.set(rest, of: application.id, in: &objects)
  }

  /// `POST {page}/subscribed_apps`: installs the application; the fields replace earlier ones.
  func install(on page: GraphObject, _ objects: inout ObjectTable) throws(GraphFault) {
    let fields = parameters.words("subscribed_fields")
    guard !fields.isEmpty else { throw .parameterRequired("subscribed_fields") }
    try WebhookField.check(fields, "subscribed_fields")
    try session.requireInstallAccess(to: page)
    for field in fields {
      for permission in [WebhookField.permission(for: field), WebhookField.metadata]
      where !session.isGranted(permission) {
        throw .webhookRequires(permission, for: field)
      }
    }
    objects[page.id]?.fields[WebhookField.ofPage] = .array(fields.map { .string($0) })
  }

  /// `DELETE {page}/subscribed_apps`, with the token of the page or of the application.
  func uninstall(from page: GraphObject, _ objects: inout ObjectTable) throws(GraphFault) {
    if session.grant.kind != .app {
      try session.requireInstallAccess(to: page)
      guard session.isGranted(WebhookField.metadata) else { throw .permissionsError }
    }
    objects[page.id]?.fields[WebhookField.ofPage] = nil
  }
}

extension Session {
  /// Checks that the session is the application's own.
  func requireApplicationToken() throws(GraphFault) {
    guard grant.kind == .app else { throw .applicationTokenRequired }
  }

  /// Checks that the session may install the application on a page, or remove it.
  fileprivate func requireInstallAccess(to page: GraphObject) throws(GraphFault) {
    guard grant.kind == .page, profile == page.id else { throw .pageTokenRequired }
    guard let role = role(in: page), role.allows(.createContent) || role.allows(.moderate) else {
      throw GraphFault.permissionsError.invented
    }
  }
}
