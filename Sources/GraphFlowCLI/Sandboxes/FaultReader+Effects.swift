import GraphFlow
import GraphSandbox

extension FaultReader {
  private static let operations = ["error", "throttle", "unfinished", "lag"]

  mutating func operationFault(_ node: YAMLNode) -> OperationFault? {
    guard let (members, key, value) = kind(of: node, "operation", Self.operations, Self.applied)
    else { return nil }
    let execution = execution(members, of: key, where: ["error", "unfinished"])
    switch key {
    case "error": return error(value).map { .error($0, execution) }
    case "throttle":
      return throttle(value).map { .throttled(code: $0.code, regain: $0.regain) }
    case "unfinished": return form(value, key).map { .unfinished($0, execution) }
    default:
      return fields.integer(value, Subject(key: key), in: 1...1_000_000).map { .lag(reads: $0) }
    }
  }

  private static let calls = [
    "error", "throttle", "page", "drop", "cut", "partial", "truncate", "wrong_length", "delay",
    "drip", "pad",
  ]

  mutating func callFault(_ node: YAMLNode) -> CallFault? {
    guard let (members, key, value) = kind(of: node, "call", Self.calls, Self.applied) else {
      return nil
    }
    let execution = execution(members, of: key, where: ["error", "page", "drop", "partial"])
    let subject = Subject(key: key)
    switch key {
    case "error": return error(value).map { .error($0, execution) }
    case "throttle":
      return throttle(value).map { .throttled(code: $0.code, regain: $0.regain) }
    case "page":
      return fields.integer(value, subject, in: 200...599).map { .page(status: $0, execution) }
    case "drop": return flag(value, key) ? .dropped(execution) : nil
    case "cut": return fields.integer(value, subject, in: Self.bytes).map { .cut(after: $0) }
    case "partial": return partial(value, execution)
    case "truncate":
      return fields.integer(value, subject, in: Self.bytes).map { .truncated(to: $0) }
    case "wrong_length": return difference(value, subject).map { .wrongLength(by: $0) }
    case "delay": return fields.duration(value, subject).map { .delayed($0) }
    case "drip": return drip(value)
    default: return fields.integer(value, subject, in: Self.bytes).map { .padded(to: $0) }
    }
  }

  mutating func worldFault(_ node: YAMLNode) -> WorldFault? {
    guard let (_, key, value) = kind(of: node, "world", ["token", "decline"]) else { return nil }
    guard key == "token" else {
      return fields.filledText(value, Subject(key: key)).map { .declined(permission: $0) }
    }
    return fields.choice(value, Subject(key: key)).map { .token($0) }
  }

  private static let applied = ["applied"]

  /// The key of a map that names the fault, its value, and the other members.
  private mutating func kind(
    of node: YAMLNode, _ name: String, _ keys: [String], _ others: [String] = []
  ) -> (members: FieldReader.Members, key: String, value: YAMLNode)? {
    let subject = Subject(key: name)
    guard let members = fields.members(of: node, subject, known: keys + others),
      let (key, value) = one(of: keys, in: members, subject)
    else { return nil }
    return (members, key, value)
  }

  private static let bytes = 0...(16 << 30)

  /// Whether the request takes effect; `applied` is allowed only for faults where it can.
  private mutating func execution(
    _ members: FieldReader.Members, of key: String, where keys: [String]
  ) -> FaultExecution {
    guard let node = members["applied"] else { return .notApplied }
    guard keys.contains(key) else {
      fields.report(
        RuleID.misplacedKey, "'applied' cannot be used with '\(key)'",
        at: members.keyLocation("applied"), hint: "remove it")
      return .notApplied
    }
    return fields.boolean(node, Subject(key: "applied")) == true ? .applied : .notApplied
  }

  private mutating func flag(_ node: YAMLNode, _ key: String) -> Bool {
    guard let value = fields.boolean(node, Subject(key: key)) else { return false }
    if !value {
      fields.report(
        RuleID.invalidValue, "'\(key)' must be true, or left out", at: node.location,
        hint: "write true, or remove it")
    }
    return value
  }

  /// The form of an operation that was aborted.
  private enum Form: String, CaseIterable {
    case nullItem = "null_item"
    case error960 = "error_960"
  }

  private mutating func form(_ node: YAMLNode, _ key: String) -> Sandbox.AbortedForm? {
    fields.choice(node, Subject(key: key), of: Form.self).map {
      $0 == .nullItem ? .null : .error960
    }
  }

  private mutating func partial(_ node: YAMLNode, _ execution: FaultExecution) -> CallFault? {
    let subject = Subject(key: "partial")
    guard let members = fields.members(of: node, subject, known: ["from", "as"]) else { return nil }
    var shown: Sandbox.AbortedForm? = .null
    if let node = members["as"] { shown = form(node, "as") }
    fields.require("from", in: members, of: subject, hint: "it counts items from 0")
    let first = fields.integer("from", in: members, from: 0...49)
    guard let first, let shown else { return nil }
    return .partial(from: first, shown, execution)
  }

  private mutating func drip(_ node: YAMLNode) -> CallFault? {
    let subject = Subject(key: "drip")
    guard let members = fields.members(of: node, subject, known: ["bytes", "pause"]) else {
      return nil
    }
    let bytes =
      members["bytes"] == nil ? 1 : fields.integer("bytes", in: members, from: 1...(1 << 30))
    fields.require("pause", in: members, of: subject, hint: "write pause: 100ms")
    guard let bytes, let pause = fields.duration("pause", in: members) else { return nil }
    return .dripping(bytes: bytes, pause: pause)
  }

  private mutating func difference(_ node: YAMLNode, _ subject: Subject) -> Int? {
    guard let value = fields.integer(node, subject, in: -(1 << 30)...(1 << 30)) else { return nil }
    guard value != 0 else {
      fields.report(RuleID.invalidValue, "\(subject) must not be 0", at: node.location)
      return nil
    }
    return value
  }

  private mutating func throttle(_ node: YAMLNode) -> (code: Int, regain: Duration)? {
    let subject = Subject(key: "throttle")
    guard let members = fields.members(of: node, subject, known: ["code", "regain"]) else {
      return nil
    }
    let code = members["code"] == nil ? 4 : fields.integer("code", in: members, from: Self.codes)
    fields.require("regain", in: members, of: subject, hint: "write regain: 5m")
    let time = fields.duration("regain", in: members, allowsZero: true)
    guard let code, let time else { return nil }
    return (code, time)
  }

  private static let codes = 0...9_999_999

  /// An error: its code, or a map of its members.
  private mutating func error(_ node: YAMLNode) -> InjectedError? {
    let subject = Subject(key: "error")
    guard case .mapping = node.content else {
      return fields.integer(node, subject, in: Self.codes).map { InjectedError(code: $0) }
    }
    let keys = [
      "code", "subcode", "message", "type", "transient", "user_title", "user_message", "status",
    ]
    guard let members = fields.members(of: node, subject, known: keys) else { return nil }
    return InjectedError(
      code: fields.integer("code", in: members, from: Self.codes),
      subcode: fields.integer("subcode", in: members, from: Self.codes),
      message: fields.text("message", in: members), type: fields.text("type", in: members),
      isTransient: fields.boolean("transient", in: members),
      userTitle: fields.text("user_title", in: members),
      userMessage: fields.text("user_message", in: members),
      status: fields.integer("status", in: members, from: 200...599))
  }
}
