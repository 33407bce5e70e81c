import GraphFlow
import GraphSandbox

/// Tokens, limits and behaviors.
extension WorldReader {
  mutating func tokens(
    _ members: YAMLMembers
  ) -> [WorldDescription.Named<WorldDescription.Token>] {
    let hint = "write tokens: {default: {user: KEY}}"
    guard let node = required("tokens", in: members, of: "the world", hint: hint),
      let entries = entries(of: node, "'tokens'")
    else { return [] }
    if !entries.contains(where: { $0.key == "default" }) {
      report(
        .missingKey, "'tokens' needs 'default', the token that is used if no other is chosen",
        at: members.keyLocation("tokens"))
    }
    return entries.compactMap { entry in token(entry).map { .init(entry.key, $0) } }
  }

  private mutating func token(_ entry: YAMLNode.Entry) -> WorldDescription.Token? {
    let subject = Subject("the token", entry.key)
    let keys = ["user", "page", "application", "state", "expires"]
    guard let members = members(of: entry.value, subject, known: keys) else { return nil }
    let state: TokenState? = members["state"].flatMap { choice($0, "'state'") }
    let expires = members["expires"].flatMap { time($0, "'expires'") }
    guard let owner = owner(members, subject) else { return nil }
    var token = WorldDescription.Token(owner)
    token.state = state ?? .valid
    token.expires = expires
    return token
  }

  private mutating func owner(
    _ members: YAMLMembers, _ subject: Subject
  ) -> WorldDescription.Token.Owner? {
    let user = members["user"].flatMap { profile($0, "'user'", among: .user) }
    let page = members["page"].flatMap { profile($0, "'page'", among: .page) }
    if members["application"] != nil {
      if members["user"] != nil || members["page"] != nil {
        report(
          .misplacedKey, "a token of the application cannot have a user or a page",
          at: members.keyLocation("application"))
        return nil
      }
      return boolean("application", in: members) == true ? .application : nil
    }
    let hint = "the token of a page belongs to a user who has a role there"
    _ = required("user", in: members, of: subject, hint: members["page"].map { _ in hint })
    guard let user else { return nil }
    guard members["page"] != nil else { return .user(user) }
    return page.map { .page($0, user: user) }
  }

  static let limitKeys: [Key<RateLimits>] =
    [
      Key("window", \.window) { $0.seconds($1, $2, in: 60...604_800, "must be from 1m to 168h") },
      Key("penalty", \.penalty) { $0.seconds($1, $2, in: 0...86_400, "must be at most 24h") },
    ]
    + RateLimits.Kind.allCases.map { kind in
      Key(kind.rawValue, \.quotas[kind]) { $0.quota($1, $2) }
    }

  private mutating func seconds(
    _ node: YAMLNode, _ subject: Subject, in range: ClosedRange<Int64>, _ rule: String
  ) -> Int? {
    guard let time = duration(node, subject, allowsZero: range.contains(0)) else { return nil }
    let seconds = time.components.seconds
    if !range.contains(seconds) { report(.invalidValue, "\(subject) \(rule)", at: node.location) }
    return Int(seconds)
  }

  /// A number of calls, or a map.
  private mutating func quota(_ node: YAMLNode, _ subject: Subject) -> RateLimits.Quota? {
    let range = 1...1_000_000_000_000
    if case .scalar = node.content {
      return integer(node, subject, in: range).map { .init(calls: $0) }
    }
    let keys = ["calls", "processor_time", "time", "used"]
    guard let members = members(of: node, subject, known: keys) else { return nil }
    _ = required("calls", in: members, of: subject)
    let calls = integer("calls", in: members, from: range)
    let used = integer("used", in: members, from: 0...range.upperBound)
    let processorTime = duration("processor_time", in: members)?.milliseconds
    let time = duration("time", in: members)?.milliseconds
    guard let calls else { return nil }
    return .init(
      calls: calls, processorTime: processorTime.map { Int($0) }, time: time.map { Int($0) },
      used: used ?? 0)
  }

  static let behaviorKeys: [Key<WorldDescription.Behaviors>] = [
    // `null` is one of the values here, although in YAML it means a missing value.
    Key("aborted", \.aborted) { $1.isNull ? nil : $0.choice($1, $2) },
    Key("statuses", \.statuses) { $0.choice($1, $2) },
    Key("forbidden", \.forbidden) { $0.choice($1, $2) },
    Key("shuffle", \.shuffle) { $0.integer($1, $2, in: 0...Int.max).map(UInt64.init) },
    Key("dependency_lists", \.takesDependencyLists) { $0.boolean($1, $2) },
    Key("open_timelines", \.opensTimelines) { $0.boolean($1, $2) },
    Key("default_version", \.defaultVersion) { $0.version($1, $2) },
  ]

  private mutating func version(_ node: YAMLNode, _ subject: Subject) -> String? {
    let version = filledText(node, subject)
    if let version, !WorldDescription.isUsable(version: version) {
      report(
        .invalidValue, "'\(version.prefix(40))' is not a version that the sandbox supports",
        at: node.location, hint: "write one from v20.0 to v26.0")
    }
    return version
  }
}
