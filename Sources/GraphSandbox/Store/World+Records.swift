import JSONPath

/// A world as records of a store: one for each object, and one for everything else.
extension World {
  /// The key of the record for everything else; objects have `object/ID`.
  private static let factsKey = "world"
  private static let objectPrefix = "object/"

  /// All records of the world; changes are tracked from here on.
  mutating func allRecords() -> [(key: String, value: [UInt8]?)] {
    defer { objects.startTrackingChanges() }
    return objects.values.map { (Self.objectPrefix + $0.id, $0.json.bytes) }
      + [(Self.factsKey, facts.bytes)]
  }

  /// The records that have changed since changes are tracked, and the one for everything else.
  var changedRecords: [(key: String, value: [UInt8]?)] {
    (objects.changed ?? []).sorted().map { id in
      (Self.objectPrefix + id, objects[id].map(\.json.bytes))
    } + [(Self.factsKey, facts.bytes)]
  }

  /// Replaces the world's contents with a store's.
  ///
  /// - Returns: whether the store held a world.
  /// - Throws: ``SandboxFailure`` for records that no world has written.
  mutating func restore(from store: any WorldStore) throws -> Bool {
    var hasFacts = false
    var kept = ObjectTable()
    try store.forEachRecord { key, value in
      guard let json = try? JSON(parsing: value) else { throw SandboxFailure.damagedStore(key) }
      if key == Self.factsKey {
        guard json["version"]?.integer == 1, restore(json) else {
          throw SandboxFailure.damagedStore(key)
        }
        hasFacts = true
      } else {
        let id = String(key.dropFirst(Self.objectPrefix.utf8.count))
        guard key.hasPrefix(Self.objectPrefix), let object = GraphObject(id: id, json) else {
          throw SandboxFailure.damagedStore(key)
        }
        kept[id] = object
      }
    }
    guard hasFacts else { return false }
    objects = kept
    objects.startTrackingChanges()
    return true
  }

  private var facts: JSON {
    [
      "version": 1, "now": .number(.init(now)), "last_id": .number(.init(lastID)),
      "application": .string(application),
      "issued_tokens": .string(String(issuedTokenCount)),
      "standard_user": standardUser.map { .string($0) } ?? .null,
      "tokens": .array(namedTokens.map { [.string($0.name), .string($0.token)] }),
      "grants": JSON(sorted: grants, \.json),
      "permissions": JSON(sorted: permissions) { list in
        .array(list.map { [.string($0.name), .string($0.status.rawValue)] })
      },
      "roles": JSON(sorted: roles) { JSON(sorted: $0, \.json) },
      "ad_users": JSON(sorted: adUsers) { .array($0.sorted().map { .string($0) }) },
    ]
  }

  private mutating func restore(_ facts: JSON) -> Bool {
    guard let now = facts["now"]?.integer, let lastID = facts["last_id"]?.integer,
      let application = facts["application"]?.string,
      let issued = facts["issued_tokens"]?.string.flatMap(UInt64.init)
    else { return false }
    self.now = now
    self.lastID = lastID
    self.application = application
    issuedTokenCount = issued
    standardUser = facts["standard_user"]?.string
    namedTokens = (facts["tokens"]?.array ?? []).compactMap { pair in
      guard let name = pair.array?.first?.string, let token = pair.array?.last?.string else {
        return nil
      }
      return (name, token)
    }
    grants = [:]
    for (token, grant) in facts["grants"]?.object ?? [:] { grants[token] = AccessGrant(grant) }
    permissions = [:]
    for (user, list) in facts["permissions"]?.object ?? [:] {
      permissions[user] = (list.array ?? []).compactMap { pair in
        guard let name = pair.array?.first?.string,
          let status = pair.array?.last?.string.flatMap(Permission.Status.init)
        else { return nil }
        return Permission(name, status)
      }
    }
    roles = [:]
    for (page, users) in facts["roles"]?.object ?? [:] {
      for (user, role) in users.object ?? [:] {
        guard let token = role["token"]?.string else { return false }
        let tasks = (role["tasks"]?.array ?? []).compactMap(\.string)
        roles[page, default: [:]][user] = PageRole(token: token, tasks: tasks)
      }
    }
    adUsers = [:]
    for (account, users) in facts["ad_users"]?.object ?? [:] {
      adUsers[account] = Set((users.array ?? []).compactMap(\.string))
    }
    return true
  }
}

extension JSON {
  /// An object whose members are sorted by their names.
  init<Value>(sorted values: [String: Value], _ json: (Value) -> JSON) {
    self = .object(Object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
  }

  /// The value in UTF-8.
  var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }
}

extension PageRole {
  fileprivate var json: JSON {
    ["token": .string(token), "tasks": .array(tasks.map { .string($0) })]
  }
}

extension AccessGrant {
  fileprivate var json: JSON {
    var members: JSON.Object = [
      "kind": .string(kind.rawValue), "profile": .string(profile), "state": .string(state.rawValue),
    ]
    if let user { members["user"] = .string(user) }
    if let expires { members["expires"] = .number(.init(expires)) }
    return .object(members)
  }

  fileprivate init?(_ json: JSON) {
    guard let kind = json["kind"]?.string.flatMap(Kind.init), let profile = json["profile"]?.string,
      let state = json["state"]?.string.flatMap(TokenState.init)
    else { return nil }
    self.init(kind: kind, profile: profile, user: json["user"]?.string)
    self.state = state
    expires = json["expires"]?.integer
  }
}

extension SandboxFailure {
  fileprivate static func damagedStore(_ key: String) -> SandboxFailure {
    SandboxFailure("the store is damaged: the record '\(key.excerpt)' cannot be read")
  }
}
