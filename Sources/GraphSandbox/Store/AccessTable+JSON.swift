import JSONPath

extension AccessTable {
  /// The table as a store keeps it.
  var members: JSON.Object {
    [
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

  /// Replaces the tokens and permissions with those of a store.
  ///
  /// - Returns: whether they are well formed.
  mutating func restore(_ facts: JSON) -> Bool {
    (grants, permissions, roles, adUsers) = ([:], [:], [:], [:])
    standardUser = facts["standard_user"]?.string
    namedTokens = (facts["tokens"]?.array ?? []).compactMap { pair in
      guard let name = pair.array?.first?.string, let token = pair.array?.last?.string else {
        return nil
      }
      return (name, token)
    }
    for (token, grant) in facts["grants"]?.object ?? [:] { grants[token] = AccessGrant(grant) }
    for (user, list) in facts["permissions"]?.object ?? [:] {
      permissions[user] = (list.array ?? []).compactMap { pair in
        guard let name = pair.array?.first?.string,
          let status = pair.array?.last?.string.flatMap(Permission.Status.init)
        else { return nil }
        return Permission(name, status)
      }
    }
    for (page, users) in facts["roles"]?.object ?? [:] {
      for (user, role) in users.object ?? [:] {
        guard let token = role["token"]?.string else { return false }
        let tasks = (role["tasks"]?.array ?? []).compactMap(\.string)
        roles[page, default: [:]][user] = PageRole(token: token, tasks: tasks)
      }
    }
    for (account, users) in facts["ad_users"]?.object ?? [:] {
      adUsers[account] = Set((users.array ?? []).compactMap(\.string))
    }
    return true
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
