import JSONPath

/// Users that the application makes for its tests: the application's edge `accounts` lists them.
///
/// Source: App Development, "Test Users"; Graph API reference, Application, `accounts/test-users`.
struct TestUsers: Sendable {
  /// A friendship that one of two users has asked for.
  private struct FriendRequest: Hashable, Sendable {
    let from: String
    let to: String
  }

  private var friendRequests: Set<FriendRequest> = []
  /// How many an application may have.
  private static let limit = 2_000

  /// The answer to a request for test users; nil if it is for something else.
  mutating func answer(
    to request: GraphRequest, _ session: Session, _ objects: inout ObjectTable,
    _ access: inout AccessTable, at now: Int
  ) throws(GraphFault) -> Answer? {
    let path = request.path
    switch (path.count, request.method) {
    case (3, _) where path[1] == "accounts" && path[2] == "test-users":
      guard [access.application, "app"].contains(path[0]) else { return nil }
      try session.requireApplicationToken()
      switch request.method {
      case .get:
        let users = Self.users(objects, access)
        return Answer(["data": .array(users.map { .object(Self.facts(of: $0, access)) })])
      case .post: return try Self.make(request.parameters, &objects, &access, at: now)
      case .delete: throw .unsupported(.delete, access.application)
      }
    case (3, .post) where path[1] == "friends":
      let user = path[0] == "me" ? session.profile : path[0]
      return try befriend(user, path[2], session, &objects, access)
    case (1, .delete), (1, .post):
      guard Self.isTestUser(path[0], objects, access) else { return nil }
      guard session.grant.kind == .app || session.profile == path[0] else {
        throw .permissionsError
      }
      if request.method == .delete {
        Self.remove(path[0], &objects, &access)
      } else if let name = request.parameters["name"]?.excerpt {
        objects[path[0]]?.fields["name"] = .string(name)
      }
      return .success
    default: return nil
    }
  }

  /// The first of two requests asks for the friendship, the other user's accepts it.
  private mutating func befriend(
    _ user: String, _ other: String, _ session: Session, _ objects: inout ObjectTable,
    _ access: AccessTable
  ) throws(GraphFault) -> Answer {
    guard [user, other].allSatisfy({ Self.isTestUser($0, objects, access) }), user != other else {
      throw .unsupported(.post, user)
    }
    guard session.profile == user else { throw .permissionsError }
    if friendRequests.remove(FriendRequest(from: other, to: user)) != nil {
      objects.appendOnce(user, to: .friends, of: other)
      objects.appendOnce(other, to: .friends, of: user)
    } else if !objects.ids(at: .friends, of: user).contains(other) {
      friendRequests.insert(FriendRequest(from: user, to: other))
    }
    return .success
  }

  /// Their ids, the oldest first.
  private static func users(_ objects: ObjectTable, _ access: AccessTable) -> [String] {
    objects.ids(at: .accounts, of: access.application)
  }

  private static func isTestUser(
    _ id: String, _ objects: ObjectTable, _ access: AccessTable
  ) -> Bool {
    let listing = GraphObject.Listing(id: access.application, edge: .accounts)
    return objects.place(of: id).map { objects[$0]?.listings.contains(listing) == true } ?? false
  }

  private static func facts(of user: String, _ access: AccessTable) -> JSON.Object {
    var facts: JSON.Object = [
      "id": .string(user),
      "login_url": .string("https://developers.facebook.com/checkpoint/test-user-login/\(user)/"),
    ]
    // Without a token the application is not installed for the user.
    let tokens = access.grants.filter { $0.value.user == user && $0.value.state == .valid }
    facts["access_token"] = tokens.keys.min().map(JSON.string)
    return facts
  }

  private static func make(
    _ parameters: Parameters, _ objects: inout ObjectTable, _ access: inout AccessTable, at now: Int
  ) throws(GraphFault) -> Answer {
    let count = users(objects, access).count
    guard count < limit else {
      throw GraphFault.parameterMalformed("installed", "sent for fewer than 2000 users").invented
    }
    let id = objects.nextID()
    let name = parameters["name"]?.excerpt ?? "Test User \(count + 1)"
    var user = GraphObject(.user, id: id, fields: ["name": .string(name)])
    user.listings = [.init(id: access.application, edge: .accounts)]
    objects.insert(user)
    access.permissions[id] = []
    if parameters.flag("installed") ?? true {
      let permissions = ["public_profile"] + parameters.words("permissions")
      access.grant(permissions, to: id, includingDeclined: true)
      _ = access.issueToken(to: id, at: now)
    }
    var facts = facts(of: id, access)
    facts["email"] = .string("test_\(id)@tfbnw.net")
    facts["password"] = .string(String(Int(id) ?? 0, radix: 36))
    return Answer(.object(facts))
  }

  private static func remove(
    _ id: String, _ objects: inout ObjectTable, _ access: inout AccessTable
  ) {
    for token in access.grants.keys where access.grants[token]?.user == id {
      access.grants[token]?.state = .revoked
    }
    for friend in objects.ids(at: .friends, of: id) {
      objects.remove(id, from: .friends, of: friend)
    }
    if let object = objects[id] { objects.remove(object) }
  }
}

extension ObjectTable {
  fileprivate func ids(at edge: Edge, of object: String) -> [String] {
    self[edge, of: object]?.entries.compactMap { self[$0.object]?.id } ?? []
  }
}
