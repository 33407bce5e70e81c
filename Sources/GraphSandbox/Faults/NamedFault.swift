/// A fault that is switched on and off while a sandbox runs: one for each key of a faults file
/// (docs/reference/faults.md).
struct NamedFault: Hashable, Sendable {
  let name: String
  /// What happens while it is on.
  let summary: String
  let effect: FaultRule.Effect
  /// The method of the operations that it applies to; nil: all.
  let method: GraphMethod?

  private init(
    _ name: String, _ summary: String, _ effect: FaultRule.Effect, method: GraphMethod? = nil
  ) {
    (self.name, self.summary, self.effect, self.method) = (name, summary, effect, method)
  }

  static let all = [
    NamedFault(
      "error", "operations end in error 2, and do nothing",
      .operation(.error(InjectedError(code: 2), .notApplied))),
    NamedFault(
      "error_applied", "operations end in error 2, although they took effect",
      .operation(.error(InjectedError(code: 2), .applied))),
    NamedFault(
      "throttle", "operations are refused for a minute: too many calls",
      .operation(.throttled(code: 4, regain: .seconds(60)))),
    NamedFault(
      "unfinished", "operations do not end in time, and do nothing",
      .operation(.unfinished(.null, .notApplied))),
    NamedFault(
      "lag", "after a write, two reads see the world before it", .operation(.lag(reads: 2)),
      method: .post),
    NamedFault("report", "report runs are skipped", .operation(.report(nil)), method: .post),
    NamedFault(
      "call_error", "calls are refused as a whole with error 1",
      .call(.error(InjectedError(code: 1), .notApplied))),
    NamedFault(
      "call_throttle", "calls are refused as a whole for a minute: too many calls",
      .call(.throttled(code: 4, regain: .seconds(60)))),
    NamedFault(
      "page", "calls are answered by a page of HTML with status 502",
      .call(.page(status: 502, .notApplied))),
    NamedFault(
      "drop", "calls are executed, but get no answer", .call(.dropped(.applied))),
    NamedFault(
      "partial", "of a batch only the first operation ends in time",
      .call(.partial(from: 1, .null, .notApplied))),
    NamedFault(
      "cut", "connections are closed after 20 bytes of the answer", .call(.cut(after: 20))),
    NamedFault("truncate", "answers end after 20 bytes", .call(.truncated(to: 20))),
    NamedFault(
      "wrong_length", "answers are 9 bytes shorter than announced", .call(.wrongLength(by: 9))),
    NamedFault("delay", "answers come 2 seconds later", .call(.delayed(.seconds(2)))),
    NamedFault(
      "drip", "answers come in pieces of 16 bytes",
      .call(.dripping(bytes: 16, pause: .milliseconds(20)))),
    NamedFault("pad", "answers have a million spaces at the end", .call(.padded(to: 1_000_000))),
    NamedFault("token", "the token of each call expires before it", .world(.token(.expired))),
    NamedFault(
      "decline", "the user declines pages_manage_posts before each call",
      .world(.declined(permission: "pages_manage_posts"))),
  ]

  static func named(_ name: String) -> NamedFault? { all.first { $0.name == name } }
}

/// A fault that a person or a test switches.
struct FaultSwitch: Hashable, Sendable {
  let name: String
  let isOn: Bool
  /// The operations that it applies to; only for a named fault that is switched on.
  var condition = FaultCondition()
}

extension FaultSwitch {
  /// Reads `name`, `on`, and for a named fault `method`, `path` and `times`.
  init(_ fields: ControlFields) throws(ControlFailure) {
    try fields.check(["name", "on", "method", "path", "times"])
    let hint = "GET /sandbox/faults lists them"
    name = try fields.required("name", hint: hint)
    isOn = try fields.flag("on") ?? true
    if let word = try fields.text("method") {
      guard let method = GraphMethod(word) else {
        throw ControlFailure("'method' must be GET, POST or DELETE")
      }
      condition.method = method
    }
    if let text = try fields.text("path"), !text.isEmpty {
      guard let path = PathPattern(text) else {
        throw ControlFailure(
          "'path' has an empty segment, a query, or too many segments",
          hint: "write me/feed, */feed or **")
      }
      condition.path = path
    }
    if let times = try fields.count("times") { condition.occasion = .first(times) }
  }
}

extension FaultState {
  /// Switches a named fault, or one of the file that the sandbox was started with.
  mutating func perform(_ change: FaultSwitch) throws(ControlFailure) {
    guard let known = NamedFault.named(change.name) else {
      guard injector.setSwitch(change.name, isOn: change.isOn) else {
        throw ControlFailure(
          "there is no fault '\(change.name.excerpt)'",
          hint: "the faults are: \(NamedFault.all.map(\.name).joined(separator: ", "))")
      }
      return
    }
    guard change.isOn else {
      _ = injector.setSwitch(change.name, isOn: false)
      return
    }
    var condition = change.condition
    condition.method = condition.method ?? known.method
    injector.add(FaultRule(known.effect, when: condition), named: known.name)
  }
}
