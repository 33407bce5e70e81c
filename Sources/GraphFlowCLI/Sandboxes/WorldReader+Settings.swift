import GraphFlow
import GraphSandbox

/// Tokens, limits and behaviors.
extension WorldReader {
  mutating func tokens(
    _ members: FieldReader.Members
  ) -> [WorldDescription.Named<WorldDescription.Token>] {
    fields.require(
      "tokens", in: members, of: "the world", hint: "write tokens: {default: {user: KEY}}")
    guard let node = members["tokens"], let entries = fields.entries(of: node, "'tokens'") else {
      return []
    }
    if !entries.contains(where: { $0.key == "default" }) {
      fields.report(
        .missingKey, "'tokens' needs 'default', the token that is used if no other is chosen",
        at: members.keyLocation("tokens"))
    }
    return entries.compactMap { entry in token(entry).map { .init(entry.key, $0) } }
  }

  private mutating func token(_ entry: YAMLNode.Entry) -> WorldDescription.Token? {
    let subject = Subject("the token", entry.key)
    let keys = ["user", "page", "application", "state", "expires"]
    guard let members = fields.members(of: entry.value, subject, known: keys) else { return nil }
    let state: TokenState? = fields.choice("state", in: members)
    let expires = time("expires", in: members)
    guard let owner = owner(members, subject) else { return nil }
    var token = WorldDescription.Token(owner)
    token.state = state ?? .valid
    token.expires = expires
    return token
  }

  private mutating func owner(
    _ members: FieldReader.Members, _ subject: Subject
  ) -> WorldDescription.Token.Owner? {
    let user = profile("user", in: members, among: .user)
    let page = profile("page", in: members, among: .page)
    if members["application"] != nil {
      if members["user"] != nil || members["page"] != nil {
        fields.report(
          .misplacedKey, "a token of the application cannot have a user or a page",
          at: members.keyLocation("application"))
        return nil
      }
      return fields.boolean("application", in: members) == true ? .application : nil
    }
    let hint = "the token of a page belongs to a user who has a role there"
    fields.require("user", in: members, of: subject, hint: members["page"].map { _ in hint })
    guard let user else { return nil }
    guard members["page"] != nil else { return .user(user) }
    return page.map { .page($0, user: user) }
  }

  mutating func limits(_ node: YAMLNode) -> RateLimits {
    var limits = RateLimits()
    let kinds = RateLimits.Kind.allCases
    let keys = ["window", "penalty"] + kinds.map(\.rawValue)
    guard let members = fields.members(of: node, "'limits'", known: keys) else { return limits }
    if let node = members["window"], let window = fields.duration("window", in: members) {
      if !(60...604_800).contains(window.components.seconds) {
        fields.report(.invalidValue, "'window' must be from 1m to 168h", at: node.location)
      }
      limits.window = Int(window.components.seconds)
    }
    if let node = members["penalty"],
      let penalty = fields.duration("penalty", in: members, allowsZero: true)
    {
      if penalty.components.seconds > 86_400 {
        fields.report(.invalidValue, "'penalty' must be at most 24h", at: node.location)
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
    fields.require("calls", in: members, of: subject)
    let calls = fields.integer("calls", in: members, from: range)
    let used = fields.integer("used", in: members, from: 0...range.upperBound)
    let processorTime = fields.duration("processor_time", in: members)?.milliseconds
    let time = fields.duration("time", in: members)?.milliseconds
    guard let calls else { return nil }
    return .init(
      calls: calls, processorTime: processorTime.map { Int($0) }, time: time.map { Int($0) },
      used: used ?? 0)
  }

  mutating func behaviors(_ node: YAMLNode) -> WorldDescription.Behaviors {
    var behaviors = WorldDescription.Behaviors()
    let keys = [
      "aborted", "statuses", "forbidden", "shuffle", "dependency_lists", "open_timelines",
      "default_version",
    ]
    guard let members = fields.members(of: node, "'behaviors'", known: keys) else {
      return behaviors
    }
    // `null` is one of the values here, although in YAML it means a missing value.
    if members["aborted"]?.isNull == false {
      behaviors.aborted = fields.choice("aborted", in: members) ?? behaviors.aborted
    }
    behaviors.statuses = fields.choice("statuses", in: members) ?? behaviors.statuses
    behaviors.forbidden = fields.choice("forbidden", in: members) ?? behaviors.forbidden
    behaviors.shuffle = fields.integer("shuffle", in: members, from: 0...Int.max).map(UInt64.init)
    behaviors.takesDependencyLists = fields.boolean("dependency_lists", in: members) ?? false
    behaviors.opensTimelines = fields.boolean("open_timelines", in: members) ?? true
    behaviors.defaultVersion = fields.filledText("default_version", in: members)
    if let version = behaviors.defaultVersion, !WorldDescription.isUsable(version: version) {
      fields.report(
        .invalidValue, "'\(version.prefix(40))' is not a version that the sandbox supports",
        at: members["default_version"]?.location ?? members.location,
        hint: "write one from v20.0 to v26.0")
    }
    return behaviors
  }
}
