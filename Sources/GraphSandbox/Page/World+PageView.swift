import Crypto
import JSONPath

extension World {
  /// How much of each kind the page shows.
  private static let shown = (people: 20, tokens: 40, limits: 20, profiles: 40, posts: 4)

  /// What the page shows; `calls` are the last ones, newest first.
  func pageView(calls: [SandboxCall]) -> PageView {
    var counts: [NodeType: Int] = [:]
    var profiles: [GraphObject] = []
    for object in objects.values {
      counts[object.type, default: 0] += 1
      let isShown =
        [.page, .instagramAccount, .adAccount].contains(object.type)
        || permissions[object.id]?.isEmpty == false
      if isShown, profiles.count < 10_000 { profiles.append(object) }
    }
    profiles.sort { (Self.rank($0.type), $0.id) < (Self.rank($1.type), $1.id) }
    return PageView(
      application: objects[application]?.name ?? application,
      address: origin,
      time: now,
      counts: counts.map { ($0.key.rawValue, $0.value) }
        .sorted { ($1.count, $0.type) < ($0.count, $1.type) },
      devices: pageDevices,
      people: peoplesIDs.prefix(Self.shown.people).map { id in
        .init(id: id, name: objects[id]?.name ?? id, permissions: permissions[id] ?? [])
      },
      tokens: pageTokens,
      limits: pageLimits,
      profiles: profiles.prefix(Self.shown.profiles).map(pageProfile),
      calls: calls,
      callCount: calls.first?.number ?? 0
    )
  }

  /// Users first, then pages, then accounts.
  private static func rank(_ type: NodeType) -> Int {
    switch type {
    case .user: 0
    case .page: 1
    default: 2
    }
  }

  /// Who was asked for permissions, and who may be when somebody logs in.
  private var peoplesIDs: [String] {
    permissions.keys.filter { permissions[$0]?.isEmpty == false || $0 == standardUser }.sorted()
  }

  private var pageDevices: [PageView.Device] {
    devices.values.filter { $0.state == .pending && !$0.isOver(at: now) }
      .sorted { ($0.created, $0.userCode) < ($1.created, $1.userCode) }
      .prefix(20)
      .map { device in
        .init(
          userCode: device.userCode,
          scopes: device.scopes,
          secondsLeft: device.created + DeviceLogin.lifetime - now
        )
      }
  }

  private var pageTokens: [PageView.Token] {
    let named = namedTokens.compactMap { name, token in
      grants[token].map { (name: name, token: token, grant: $0) }
    }
    let names = Set(named.map(\.token))
    let others = grants.filter { !names.contains($0.key) }
      .map { (name: "", token: $0.key, grant: $0.value) }
      .sorted {
        ($0.grant.kind.rawValue, $0.grant.profile, $0.token)
          < ($1.grant.kind.rawValue, $1.grant.profile, $1.token)
      }
    return (named + others).prefix(Self.shown.tokens).map { name, token, grant in
      let whose = objects[grant.profile]?.name ?? grant.profile
      let isOver = grant.state == .valid && grant.expires.map { $0 <= now } ?? false
      return .init(
        handle: Self.handle(of: token),
        name: name.isEmpty ? whose : "\(name) · \(whose)",
        kind: grant.kind.rawValue.lowercased(),
        state: isOver ? TokenState.expired.rawValue : grant.state.rawValue,
        isValid: grant.state == .valid && !isOver,
        expires: grant.expires
      )
    }
  }

  private var pageLimits: [PageView.Limit] {
    meter.usage(at: now)
      .sorted {
        ($1.load.highest, $0.scope.kind.rawValue, $0.scope.id)
          < ($0.load.highest, $1.scope.kind.rawValue, $1.scope.id)
      }
      .prefix(Self.shown.limits)
      .map { scope, load, minutes in
        .init(
          kind: scope.kind.rawValue,
          whose: objects[scope.id]?.name ?? objects["act_" + scope.id]?.name ?? scope.id,
          load: load,
          minutesBlocked: minutes
        )
      }
  }

  private func pageProfile(_ object: GraphObject) -> PageView.Profile {
    let edges: [Edge] = [.feed, .media, .campaigns]
    let list = edges.compactMap { object.edges[$0] }.first
    let newest = (list?.entries ?? []).suffix(Self.shown.posts).reversed()
    return .init(
      id: object.id,
      name: object.name ?? object.fields["username"]?.string ?? object.id,
      type: object.type.rawValue,
      postCount: list?.count ?? 0,
      posts: newest.compactMap { objects[$0.id] }.map { post in
        let fields = ["message", "caption", "name", "story"]
        return .init(
          id: post.id,
          text: fields.compactMap { post.fields[$0]?.string }.first?.excerpt ?? "",
          likes: post.edges[.likes]?.count ?? 0,
          comments: post.edges[.comments]?.count ?? 0
        )
      }
    )
  }

  /// What names a token without telling anything of it.
  static func handle(of token: String) -> String {
    let digest = SHA256.hash(data: Array("page \(token)".utf8))
    return String(
      decoding: digest.prefix(8).flatMap {
        [Hexadecimal.lowerDigits[Int($0 >> 4)], Hexadecimal.lowerDigits[Int($0 & 15)]]
      },
      as: UTF8.self
    )
  }
}
