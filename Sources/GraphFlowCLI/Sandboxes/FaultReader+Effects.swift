import GraphFlow
import GraphSandbox

extension FaultReader {
  mutating func operationFault(_ node: YAMLNode) -> OperationFault? {
    let keys = ["error", "throttle", "unfinished", "lag"]
    guard let (key, value, execution) = kind(of: node, "operation", keys, ["error", "unfinished"])
    else { return nil }
    switch key {
    case "error": return error(value).map { .error($0, execution) }
    case "throttle": return throttle(value).map { .throttled(code: $0.code, regain: $0.regain) }
    case "unfinished": return form(value, key).map { .unfinished($0, execution) }
    default: return integer(value, Subject(key: key), in: 1...1_000_000).map { .lag(reads: $0) }
    }
  }

  mutating func callFault(_ node: YAMLNode) -> CallFault? {
    let keys = [
      "error", "throttle", "page", "drop", "cut", "partial", "truncate", "wrong_length", "delay",
      "drip", "pad",
    ]
    let applicable = ["error", "page", "drop", "partial"]
    guard let (key, value, execution) = kind(of: node, "call", keys, applicable) else { return nil }
    let subject = Subject(key: key)
    switch key {
    case "error": return error(value).map { .error($0, execution) }
    case "throttle": return throttle(value).map { .throttled(code: $0.code, regain: $0.regain) }
    case "page": return integer(value, subject, in: 200...599).map { .page(status: $0, execution) }
    case "drop": return flag(value, subject) ? .dropped(execution) : nil
    case "cut": return integer(value, subject, in: Self.bytes).map { .cut(after: $0) }
    case "partial": return partial(value, execution)
    case "truncate": return integer(value, subject, in: Self.bytes).map { .truncated(to: $0) }
    case "wrong_length": return difference(value, subject).map { .wrongLength(by: $0) }
    case "delay": return duration(value, subject).map { .delayed($0) }
    case "drip": return drip(value)
    default: return integer(value, subject, in: Self.bytes).map { .padded(to: $0) }
    }
  }

  mutating func worldFault(_ node: YAMLNode) -> WorldFault? {
    let keys = ["token", "decline"]
    guard let members = members(of: node, "'world'", known: keys),
      let entry = one(of: keys, in: members, "'world'")
    else { return nil }
    guard entry.key == "token" else {
      return filledText(entry.value, "'decline'").map { .declined(permission: $0) }
    }
    return choice(entry.value, "'token'").map { .token($0) }
  }

  /// The range of sizes of a body, up to 16 GiB.
  private static let bytes = 0...(16 << 30)
  private static let codes = 0...9_999_999

  /// The key of a map that names the fault, its value, and whether the request takes effect.
  ///
  /// `applied` is allowed only for faults where it can.
  private mutating func kind(
    of node: YAMLNode, _ name: String, _ keys: [String], _ applicable: [String]
  ) -> (key: String, value: YAMLNode, execution: FaultExecution)? {
    let subject = Subject(key: name)
    guard let members = members(of: node, subject, known: keys + ["applied"]),
      let entry = one(of: keys, in: members, subject)
    else { return nil }
    guard let applied = members["applied"] else { return (entry.key, entry.value, .notApplied) }
    guard applicable.contains(entry.key) else {
      report(
        .misplacedKey, "'applied' cannot be used with '\(entry.key)'",
        at: members.keyLocation("applied"), hint: "remove it")
      return (entry.key, entry.value, .notApplied)
    }
    let isApplied = boolean(applied, "'applied'") == true
    return (entry.key, entry.value, isApplied ? .applied : .notApplied)
  }

  private mutating func flag(_ node: YAMLNode, _ subject: Subject) -> Bool {
    guard let value = boolean(node, subject) else { return false }
    if !value {
      report(
        .invalidValue, "\(subject) must be true, or left out", at: node.location,
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
    choice(node, Subject(key: key), of: Form.self).map { $0 == .nullItem ? .null : .error960 }
  }

  private mutating func partial(_ node: YAMLNode, _ execution: FaultExecution) -> CallFault? {
    guard let members = members(of: node, "'partial'", known: ["from", "as"]) else { return nil }
    var shown: Sandbox.AbortedForm? = .null
    if let node = members["as"] { shown = form(node, "as") }
    _ = required("from", in: members, of: "'partial'", hint: "it counts items from 0")
    guard let first = integer("from", in: members, from: 0...49), let shown else { return nil }
    return .partial(from: first, shown, execution)
  }

  private mutating func drip(_ node: YAMLNode) -> CallFault? {
    guard let members = members(of: node, "'drip'", known: ["bytes", "pause"]) else { return nil }
    let bytes = members["bytes"] == nil ? 1 : integer("bytes", in: members, from: 1...(1 << 30))
    _ = required("pause", in: members, of: "'drip'", hint: "write pause: 100ms")
    guard let bytes, let pause = duration("pause", in: members) else { return nil }
    return .dripping(bytes: bytes, pause: pause)
  }

  private mutating func difference(_ node: YAMLNode, _ subject: Subject) -> Int? {
    let value = integer(node, subject, in: -(1 << 30)...(1 << 30))
    guard value == 0 else { return value }
    report(.invalidValue, "\(subject) must not be 0", at: node.location)
    return nil
  }

  private mutating func throttle(_ node: YAMLNode) -> (code: Int, regain: Duration)? {
    guard let members = members(of: node, "'throttle'", known: ["code", "regain"]) else {
      return nil
    }
    let code = members["code"] == nil ? 4 : integer("code", in: members, from: Self.codes)
    _ = required("regain", in: members, of: "'throttle'", hint: "write regain: 5m")
    guard let time = duration("regain", in: members, allowsZero: true), let code else { return nil }
    return (code, time)
  }

  /// An error: its code, or a map of its members.
  private mutating func error(_ node: YAMLNode) -> InjectedError? {
    guard case .mapping = node.content else {
      return integer(node, "'error'", in: Self.codes).map { InjectedError(code: $0) }
    }
    let keys = [
      "code", "subcode", "message", "type", "transient", "user_title", "user_message", "status",
    ]
    guard let members = members(of: node, "'error'", known: keys) else { return nil }
    return InjectedError(
      code: integer("code", in: members, from: Self.codes),
      subcode: integer("subcode", in: members, from: Self.codes),
      message: text("message", in: members), type: text("type", in: members),
      isTransient: boolean("transient", in: members), userTitle: text("user_title", in: members),
      userMessage: text("user_message", in: members),
      status: integer("status", in: members, from: 200...599))
  }
}
