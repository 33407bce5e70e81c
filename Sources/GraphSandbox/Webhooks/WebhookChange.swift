import JSONPath

/// A change that webhooks are about.
struct WebhookChange: Hashable, Sendable {
  /// The type of the object that subscriptions name: `page`.
  let object: String
  /// The object's id.
  let id: String
  let field: String
  let value: JSON
}

/// A change, and a callback that is to receive it.
struct WebhookNotice: Hashable, Sendable {
  let callback: CallbackURL
  let change: WebhookChange
  var includesValue = true
  /// Whether the sandbox's owner has named the callback.
  var isForwarded = false
}

/// Who receives the changes of a world, and what was not sent yet.
struct Webhooks: Sendable {
  /// Receives every change.
  var forward: CallbackURL?
  private var notices: [WebhookNotice] = []

  init() {}

  /// Whether anybody receives changes.
  func isWatched(_ objects: ObjectTable, _ access: AccessTable) -> Bool {
    forward != nil || !WebhookSubscription.all(of: objects[access.application]).isEmpty
  }

  /// Notifies those who have subscribed to changes; with `isTest` the objects need not have
  /// installed the application.
  ///
  /// - Returns: whether there is anybody.
  @discardableResult
  mutating func notify(
    _ changes: [WebhookChange], _ objects: ObjectTable, _ access: AccessTable, isTest: Bool = false
  ) -> Bool {
    guard !changes.isEmpty else { return false }
    let count = notices.count
    let subscriptions = WebhookSubscription.all(of: objects[access.application])
    for change in changes {
      for one in subscriptions
      where one.object == change.object && one.fields.contains(where: { $0.name == change.field })
        && (isTest || Self.hasInstalled(change, objects, access))
      {
        notices.append(
          WebhookNotice(
            callback: one.callback, change: change, includesValue: one.includesValues))
      }
      if let forward {
        notices.append(WebhookNotice(callback: forward, change: change, isForwarded: true))
      }
    }
    return notices.count > count
  }

  /// Whether the page of a change has installed the application with `subscribed_apps`; other objects
  /// need not.
  private static func hasInstalled(
    _ change: WebhookChange, _ objects: ObjectTable, _ access: AccessTable
  ) -> Bool {
    func fields(_ page: GraphObject?) -> [JSON] { page?.fields[WebhookField.ofPage]?.array ?? [] }
    switch change.object {
    case "page": return fields(objects[change.id]).contains(.string(change.field))
    case "instagram":
      // Any field of the account's page will do (Instagram Platform, Webhooks).
      return access.roles.keys.contains { id in
        let page = objects[id]
        return page?.fields["instagram_business_account"]?["id"]?.string == change.id
          && !fields(page).isEmpty
      }
    default: return true
    }
  }

  /// Takes what is to be sent.
  mutating func take() -> [WebhookNotice] {
    defer { notices = [] }
    return notices
  }
}
