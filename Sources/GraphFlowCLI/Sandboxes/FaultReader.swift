import GraphFlow
import GraphSandbox
import JSONPath

/// Reads the faults of a sandbox: `--faults FILE`.
///
/// A fault that cannot be used is reported and left out, so that the others are still checked.
struct FaultReader: YAMLReading {
  static let key = "graphflow-faults"
  let findings: Findings

  static func plan(at path: String) throws -> FaultPlan {
    try WorkflowFiles.checked(path) { reading($0) }
  }

  static func reading(_ source: SourceFile) -> (plan: FaultPlan?, diagnostics: [Diagnostic]) {
    let file = FieldReader(source)
    let plan = file.root.flatMap { FaultReader(findings: file.findings).plan($0) }
    return (file.hasErrors ? nil : plan, file.diagnostics)
  }

  private func plan(_ root: YAMLNode) -> FaultPlan? {
    let keys = [Self.key, "description", "seed", "faults"]
    guard let members = members(of: root, "the file", known: keys) else { return nil }
    checkVersion(Self.key, in: members)
    _ = members.value("description") { text($0, $1) }
    let seed = members.value("seed") { integer($0, $1, in: 0...Int.max) }
    guard let faults = required("faults", in: members) else { return nil }
    return FaultPlan(rules(faults), seed: seed.map { UInt64($0) })
  }

  /// The faults of a list.
  func rules(_ list: YAMLNode) -> [FaultRule] {
    (elements(of: list, "'faults'") ?? []).compactMap { rule($0) }
  }

  private static let effects = ["operation", "call", "world"]
  private static let occasions = ["nth", "every", "first", "probability"]

  private func rule(_ node: YAMLNode) -> FaultRule? {
    let known = ["method", "path", "name", "word", "after"] + Self.occasions + Self.effects
    guard let members = members(of: node, "a fault", known: known) else { return nil }
    let condition = FaultCondition(
      method: members.value("method") { choice($0, $1) },
      path: members.value("path") { pattern($0, $1) },
      name: members.value("name") { filledText($0, $1) },
      word: members.value("word") { filledText($0, $1) },
      delay: members.value("after") { duration($0, $1, allowsZero: true) } ?? .zero,
      occasion: occasion(members) ?? .always)
    guard let effect = one(of: Self.effects, in: members, "a fault") else { return nil }
    let fault: FaultRule.Effect? =
      switch effect.key {
      case "operation": operationFault(effect.value).map { .operation($0) }
      case "call": callFault(effect.value).map { .call($0) }
      default: worldFault(effect.value).map { .world($0) }
      }
    return fault.map { FaultRule($0, when: condition) }
  }

  private func pattern(_ node: YAMLNode, _ subject: Subject) -> PathPattern? {
    guard let text = filledText(node, subject) else { return nil }
    if let pattern = PathPattern(text) { return pattern }
    report(
      .invalidValue,
      "\(Subject("the path", text)) has an empty segment, a query, or more than "
        + "\(PathPattern.maximumLength) segments", at: node.location,
      hint: "write me/feed, */feed or **")
    return nil
  }

  private func occasion(_ members: YAMLMembers) -> FaultCondition.Occasion? {
    let found = first(of: Self.occasions, in: members, hint: "remove one of them") {
      "'\($0)' already selects the operations at which it happens"
    }
    guard let found else { return nil }
    let subject = Subject(key: found.key)
    if found.key == "probability" {
      return number(found.value, subject, in: 0...1).map { .chance($0) }
    }
    guard let count = integer(found.value, subject, in: 1...1_000_000_000) else { return nil }
    return found.key == "nth"
      ? .nth(count) : found.key == "every" ? .everyNth(count) : .first(count)
  }

  /// The one key of several that is present; none or more than one is reported.
  private func one(
    of keys: [String], in members: YAMLMembers, _ subject: Subject
  ) -> YAMLNode.Entry? {
    let found = first(of: keys, in: members, hint: "write a separate fault") {
      "\(subject) can have one effect only, and has '\($0)' already"
    }
    if found == nil, !keys.contains(where: members.mentions) {
      report(
        .missingKey, "\(subject) needs one of \(keys.joined(separator: ", "))",
        at: members.location)
    }
    return found
  }

  /// The first of several keys that exclude each other; the others are reported.
  private func first(
    of keys: [String], in members: YAMLMembers, hint: String, _ message: (String) -> String
  ) -> YAMLNode.Entry? {
    let present = members.entries.filter { keys.contains($0.key) }
    for entry in present.dropFirst() {
      report(.misplacedKey, message(present[0].key), at: entry.keyLocation, hint: hint)
    }
    return present.first
  }
}

// MARK: - Effects

extension FaultReader {
  private func operationFault(_ node: YAMLNode) -> OperationFault? {
    let keys = ["error", "throttle", "unfinished", "lag", "report"]
    guard let (key, value, execution) = kind(of: node, "operation", keys, ["error", "unfinished"])
    else { return nil }
    let subject = Subject(key: key)
    switch key {
    case "error": return error(value).map { .error($0, execution) }
    case "throttle": return throttle(value).map { .throttled(code: $0.code, regain: $0.regain) }
    case "unfinished": return form(value, subject).map { .unfinished($0, execution) }
    case "report":
      return self.value(value, subject) == "skipped"
        ? .report(nil) : error(value, as: subject).map { .report($0) }
    default: return integer(value, subject, in: 1...1_000_000).map { .lag(reads: $0) }
    }
  }

  private func callFault(_ node: YAMLNode) -> CallFault? {
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
    case "drop": return isTrue(value, subject) ? .dropped(execution) : nil
    case "cut": return integer(value, subject, in: Self.bytes).map { .cut(after: $0) }
    case "partial": return partial(value, execution)
    case "truncate": return integer(value, subject, in: Self.bytes).map { .truncated(to: $0) }
    case "wrong_length": return difference(value, subject).map { .wrongLength(by: $0) }
    case "delay": return duration(value, subject).map { .delayed($0) }
    case "drip": return drip(value)
    default: return integer(value, subject, in: Self.bytes).map { .padded(to: $0) }
    }
  }

  private func worldFault(_ node: YAMLNode) -> WorldFault? {
    let keys = ["token", "decline"]
    guard let members = members(of: node, "'world'", known: keys),
      let entry = one(of: keys, in: members, "'world'")
    else { return nil }
    let subject = Subject(key: entry.key)
    return entry.key == "token"
      ? choice(entry.value, subject).map { .token($0) }
      : filledText(entry.value, subject).map { .declined(permission: $0) }
  }

  /// The range of sizes of a body, up to 16 GiB.
  private static let bytes = 0...(16 << 30)
  private static let codes = 0...9_999_999

  /// The key of a map that names the fault, its value, and whether the request takes effect.
  ///
  /// `applied` is allowed only for faults where it can.
  private func kind(
    of node: YAMLNode, _ name: String, _ keys: [String], _ applicable: [String]
  ) -> (key: String, value: YAMLNode, execution: FaultExecution)? {
    let subject = Subject(key: name)
    guard let members = members(of: node, subject, known: keys + ["applied"]),
      let entry = one(of: keys, in: members, subject)
    else { return nil }
    var isApplied = false
    if members["applied"] != nil, !applicable.contains(entry.key) {
      report(
        .misplacedKey, "'applied' cannot be used with '\(entry.key)'",
        at: members.keyLocation("applied"), hint: "remove it")
    } else {
      isApplied = members.value("applied") { boolean($0, $1) } == true
    }
    return (entry.key, entry.value, isApplied ? .applied : .notApplied)
  }

  private func isTrue(_ node: YAMLNode, _ subject: Subject) -> Bool {
    let value = boolean(node, subject)
    if value == false {
      report(
        .invalidValue, "\(subject) must be true, or left out", at: node.location,
        hint: "write true, or remove it")
    }
    return value == true
  }

  /// The form of an operation that was aborted.
  private enum Form: String, CaseIterable {
    case nullItem = "null_item"
    case error960 = "error_960"
  }

  private func form(_ node: YAMLNode, _ subject: Subject) -> Sandbox.AbortedForm? {
    choice(node, subject, of: Form.self).map { $0 == .nullItem ? .null : .error960 }
  }

  private func partial(_ node: YAMLNode, _ execution: FaultExecution) -> CallFault? {
    guard let members = members(of: node, "'partial'", known: ["from", "as"]) else { return nil }
    let shown = members["as"] == nil ? .null : members.value("as") { form($0, $1) }
    let first = required("from", in: members, hint: "it counts items from 0")
      .flatMap { integer($0, "'from'", in: 0...49) }
    guard let first, let shown else { return nil }
    return .partial(from: first, shown, execution)
  }

  private func drip(_ node: YAMLNode) -> CallFault? {
    guard let members = members(of: node, "'drip'", known: ["bytes", "pause"]) else { return nil }
    let bytes =
      members["bytes"] == nil ? 1 : members.value("bytes") { integer($0, $1, in: 1...(1 << 30)) }
    let pause = required("pause", in: members, hint: "write pause: 100ms")
      .flatMap { duration($0, "'pause'") }
    guard let bytes, let pause else { return nil }
    return .dripping(bytes: bytes, pause: pause)
  }

  private func difference(_ node: YAMLNode, _ subject: Subject) -> Int? {
    let value = integer(node, subject, in: -(1 << 30)...(1 << 30))
    guard value == 0 else { return value }
    report(.invalidValue, "\(subject) must not be 0", at: node.location)
    return nil
  }

  private func throttle(_ node: YAMLNode) -> (code: Int, regain: Duration)? {
    guard let members = members(of: node, "'throttle'", known: ["code", "regain"]) else {
      return nil
    }
    let code =
      members["code"] == nil ? 4 : members.value("code") { integer($0, $1, in: Self.codes) }
    let time = required("regain", in: members, hint: "write regain: 5m")
      .flatMap { duration($0, "'regain'", allowsZero: true) }
    guard let time, let code else { return nil }
    return (code, time)
  }

  /// An error: its code, or a map of its members.
  private func error(_ node: YAMLNode, as subject: Subject = "'error'") -> InjectedError? {
    guard case .mapping = node.content else {
      return integer(node, subject, in: Self.codes).map { InjectedError(code: $0) }
    }
    let keys = [
      "code", "subcode", "message", "type", "transient", "user_title", "user_message", "status",
    ]
    guard let members = members(of: node, subject, known: keys) else { return nil }
    func text(_ key: String) -> String? { members.value(key) { self.text($0, $1) } }
    return InjectedError(
      code: members.value("code") { integer($0, $1, in: Self.codes) },
      subcode: members.value("subcode") { integer($0, $1, in: Self.codes) },
      message: text("message"), type: text("type"),
      isTransient: members.value("transient") { boolean($0, $1) }, userTitle: text("user_title"),
      userMessage: text("user_message"),
      status: members.value("status") { integer($0, $1, in: 200...599) })
  }
}

extension YAMLMembers {
  /// The value of a key; nil if it is missing or invalid.
  func value<Value>(_ key: String, _ read: (YAMLNode, Subject) -> Value?) -> Value? {
    self[key].flatMap { read($0, Subject(key: key)) }
  }
}

extension YAMLReading {
  /// Checks the version of the file's language, the value of the key that names its kind.
  func checkVersion(_ key: String, in members: YAMLMembers) {
    _ = required(key, in: members, hint: "write \(key): 1")
    _ = members.value(key) { integer($0, $1, in: 1...1) }
  }

  /// A time: seconds since 1970, a day, or a day and a time in UTC.
  func time(_ node: YAMLNode, _ subject: Subject) -> Int? {
    guard let value = value(node, subject) else { return nil }
    guard let text = value.string ?? value.number?.lexeme else {
      reportType(node, subject, takes: "a time such as 2026-01-15T12:00:00Z")
      return nil
    }
    if let time = WorldDescription.time(text) { return time }
    report(
      .invalidValue, "\(subject) is not a time", at: node.location,
      hint: "write 2026-01-15, 2026-01-15T12:00:00Z or seconds since 1970")
    return nil
  }
}
