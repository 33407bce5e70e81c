import GraphFlow
import GraphSandbox

/// Tokens, limits and manners.
extension WorldReader {
  mutating func tokens(
    _ members: FieldReader.Members
  ) -> [WorldDescription.Named<WorldDescription.Token>] {
    guard let node = members["tokens"] else {
      if !members.mentions("tokens") {
        fields.report(
          .missingKey,
          "the world needs 'tokens'",
          at: members.location,
          hint: "write tokens: {default: {user: KEY}}"
        )
      }
      return []
    }
    guard let entries = fields.entries(of: node, "'tokens'") else { return [] }
    if !entries.contains(where: { $0.key == "default" }) {
      fields.report(
        .missingKey,
        "'tokens' needs 'default', the token that is used unless another is asked for",
        at: members.keyLocation("tokens")
      )
    }
    return entries.compactMap { entry in token(entry).map { .init(entry.key, $0) } }
  }

  private mutating func token(_ entry: YAMLNode.Entry) -> WorldDescription.Token? {
    let subject = Subject("the token", entry.key)
    let keys = ["user", "page", "application", "state", "expires"]
    guard let members = fields.members(of: entry.value, subject, known: keys) else { return nil }
    let state = members["state"].flatMap { fields.choice($0, "'state'", of: TokenState.self) }
    let expires = members["expires"].flatMap { time($0, "'expires'") }
    guard let owner = owner(members, subject) else { return nil }
    var token = WorldDescription.Token(owner)
    token.state = state ?? .valid
    token.expires = expires
    return token
  }

  private mutating func owner(
    _ members: FieldReader.Members,
    _ subject: Subject
  ) -> WorldDescription.Token.Owner? {
    func text(_ key: String, among keys: Set<String>) -> String? {
      guard let node = members[key],
        let text = fields.filledText(node, Subject(key: key))
      else { return nil }
      return profile(text, at: node.location, among: keys, key)
    }
    let user = text("user", among: users)
    let page = text("page", among: pages)
    if let node = members["application"] {
      if members["user"] != nil || members["page"] != nil {
        fields.report(
          .misplacedKey,
          "a token of the application is nobody's",
          at: members.keyLocation("application")
        )
        return nil
      }
      return fields.boolean(node, "'application'") == true ? .application : nil
    }
    guard members.mentions("user") else {
      fields.report(
        .missingKey,
        "\(subject) needs 'user'",
        at: members.location,
        hint: members["page"] == nil ? nil : "a page's token belongs to one who has a role there"
      )
      return nil
    }
    guard let user else { return nil }
    guard members["page"] != nil else { return .user(user) }
    return page.map { .page($0, user: user) }
  }

  mutating func limits(_ node: YAMLNode) -> RateLimits {
    var limits = RateLimits()
    let kinds = RateLimits.Kind.allCases
    let keys = ["window", "penalty"] + kinds.map(\.rawValue)
    guard let members = fields.members(of: node, "'limits'", known: keys) else { return limits }
    if let node = members["window"], let window = fields.duration(node, "'window'") {
      if !(60...604_800).contains(window.components.seconds) {
        fields.report(.invalidValue, "'window' is from 1m to 168h", at: node.location)
      }
      limits.window = Int(window.components.seconds)
    }
    if let node = members["penalty"],
      let penalty = fields.duration(node, "'penalty'", allowsZero: true)
    {
      if penalty.components.seconds > 86_400 {
        fields.report(.invalidValue, "'penalty' is at most 24h", at: node.location)
      }
      limits.penalty = Int(penalty.components.seconds)
    }
    for kind in kinds {
      guard let node = members[kind.rawValue] else { continue }
      if let quota = quota(node, Subject(key: kind.rawValue)) { limits.quotas[kind] = quota }
    }
    return limits
  }

  /// A number of calls, or a map.
  private mutating func quota(_ node: YAMLNode, _ subject: Subject) -> RateLimits.Quota? {
    let range = 1...1_000_000_000_000
    if case .scalar = node.content {
      return fields.integer(node, subject, in: range).map { .init(calls: $0) }
    }
    let keys = ["calls", "processor_time", "time", "used"]
    guard let members = fields.members(of: node, subject, known: keys) else { return nil }
    if !members.mentions("calls") {
      fields.report(.missingKey, "\(subject) needs 'calls'", at: members.location)
    }
    let calls = members["calls"].flatMap { fields.integer($0, "'calls'", in: range) }
    let used = members["used"].flatMap {
      fields.integer($0, "'used'", in: 0...range.upperBound)
    }
    func milliseconds(_ key: String) -> Int? {
      members[key].flatMap { fields.duration($0, Subject(key: key)) }.map {
        Int($0.components.seconds) * 1_000 + Int($0.components.attoseconds / 1_000_000_000_000_000)
      }
    }
    let processorTime = milliseconds("processor_time")
    let time = milliseconds("time")
    guard let calls else { return nil }
    return .init(calls: calls, processorTime: processorTime, time: time, used: used ?? 0)
  }

  mutating func manners(_ node: YAMLNode) -> WorldDescription.Manners {
    var manners = WorldDescription.Manners()
    let keys = [
      "aborted", "statuses", "forbidden", "shuffle", "dependency_lists", "open_timelines",
      "default_version",
    ]
    guard let members = fields.members(of: node, "'manners'", known: keys) else { return manners }
    if let node = members["aborted"], !node.isNull,
      let form = fields.choice(node, "'aborted'", of: Sandbox.AbortedForm.self)
    {
      manners.aborted = form
    }
    if let node = members["statuses"],
      let statuses = fields.choice(
        node,
        "'statuses'",
        of: WorldDescription.Manners.Statuses.self
      )
    {
      manners.statuses = statuses
    }
    if let node = members["forbidden"],
      let forbidden = fields.choice(
        node,
        "'forbidden'",
        of: WorldDescription.Manners.Forbidden.self
      )
    {
      manners.forbidden = forbidden
    }
    manners.shuffle = members["shuffle"].flatMap {
      fields.integer($0, "'shuffle'", in: 0...Int.max)
    }.map(UInt64.init)
    if let node = members["dependency_lists"],
      let flag = fields.boolean(node, "'dependency_lists'")
    {
      manners.takesDependencyLists = flag
    }
    if let node = members["open_timelines"], let flag = fields.boolean(node, "'open_timelines'") {
      manners.opensTimelines = flag
    }
    if let node = members["default_version"],
      let version = fields.filledText(node, "'default_version'")
    {
      if !WorldDescription.isUsable(version: version) {
        fields.report(
          .invalidValue,
          "'\(version.prefix(40))' is no version that the sandbox answers with",
          at: node.location,
          hint: "write one from v20.0 to v26.0"
        )
      }
      manners.defaultVersion = version
    }
    return manners
  }
}
