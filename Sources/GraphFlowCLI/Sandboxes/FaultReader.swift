import GraphFlow
import GraphSandbox

/// Reads the faults of a sandbox.
///
/// A fault that cannot be used is reported and left out, so that the others are still checked.
struct FaultReader: YAMLReading {
  var findings: Findings

  fileprivate mutating func plan(_ root: YAMLNode) -> FaultPlan? {
    let keys = [FaultFile.key, "description", "seed", "faults"]
    guard let members = members(of: root, "the file", known: keys) else { return nil }
    checkVersion(FaultFile.key, in: members, of: "the file")
    _ = text("description", in: members)
    let seed = integer("seed", in: members, from: 0...Int.max)
    guard let faults = required("faults", in: members, of: "the file") else { return nil }
    let rules = (elements(of: faults, "'faults'") ?? []).compactMap { rule($0) }
    return FaultPlan(rules, seed: seed.map { UInt64($0) })
  }

  private static let effects = ["operation", "call", "world"]
  private static let occasions = ["nth", "every", "first", "probability"]

  private mutating func rule(_ node: YAMLNode) -> FaultRule? {
    let known = ["method", "path", "name", "after"] + Self.occasions + Self.effects
    guard let members = members(of: node, "a fault", known: known) else { return nil }
    let condition = condition(members)
    guard let effect = one(of: Self.effects, in: members, "a fault") else { return nil }
    let fault: FaultRule.Effect? =
      switch effect.key {
      case "operation": operationFault(effect.value).map { .operation($0) }
      case "call": callFault(effect.value).map { .call($0) }
      default: worldFault(effect.value).map { .world($0) }
      }
    return fault.map { FaultRule($0, when: condition) }
  }

  /// The one key of several that is present; none or more than one is reported.
  mutating func one(
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
  private mutating func first(
    of keys: [String], in members: YAMLMembers, hint: String, _ message: (String) -> String
  ) -> YAMLNode.Entry? {
    let present = members.entries.filter { keys.contains($0.key) }
    guard let first = present.first else { return nil }
    for entry in present.dropFirst() {
      report(.misplacedKey, message(first.key), at: entry.keyLocation, hint: hint)
    }
    return first
  }

  private mutating func condition(_ members: YAMLMembers) -> FaultCondition {
    FaultCondition(
      method: members["method"].flatMap { choice($0, "'method'") },
      path: members["path"].flatMap { pattern($0) }, name: filledText("name", in: members),
      delay: duration("after", in: members, allowsZero: true) ?? .zero,
      occasion: occasion(members) ?? .always)
  }

  private mutating func pattern(_ node: YAMLNode) -> PathPattern? {
    guard let text = filledText(node, "'path'") else { return nil }
    if let pattern = PathPattern(text) { return pattern }
    report(
      .invalidValue,
      "\(Subject("the path", text)) has an empty segment, a query, or more than "
        + "\(PathPattern.maximumLength) segments", at: node.location,
      hint: "write me/feed, */feed or **")
    return nil
  }

  private mutating func occasion(_ members: YAMLMembers) -> FaultCondition.Occasion? {
    let found = first(of: Self.occasions, in: members, hint: "remove one of them") {
      "'\($0)' already selects the operations at which it happens"
    }
    guard let found else { return nil }
    let subject = Subject(key: found.key)
    if found.key == "probability" {
      return number(found.value, subject, in: 0...1).map { .chance($0) }
    }
    guard let count = integer(found.value, subject, in: 1...1_000_000_000) else { return nil }
    switch found.key {
    case "nth": return .nth(count)
    case "every": return .everyNth(count)
    default: return .first(count)
    }
  }
}

/// Files that describe the faults of a sandbox: `--faults FILE`.
enum FaultFile {
  static let key = "graphflow-faults"

  static func isFaultFile(_ source: SourceFile) -> Bool {
    WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: key)
  }

  static func plan(at path: String) throws -> FaultPlan {
    try WorkflowFiles.checked(path) { reading($0) }
  }

  static func reading(_ source: SourceFile) -> (plan: FaultPlan?, diagnostics: [Diagnostic]) {
    let file = FieldReader(source)
    var reader = FaultReader(findings: file.findings)
    let plan = file.root.flatMap { reader.plan($0) }
    return (file.hasErrors ? nil : plan, file.diagnostics)
  }
}
