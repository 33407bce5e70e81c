import GraphFlow
import GraphSandbox

/// Turns the located values of a file into the faults of a sandbox.
///
/// A fault that cannot be used is reported and left out, so that the others are still checked.
struct FaultReader {
  var fields: FieldReader

  init(_ fields: FieldReader) { self.fields = fields }

  mutating func plan() -> FaultPlan? {
    guard let root = fields.root,
      let members = fields.members(
        of: root, "the file", known: [FaultFile.key, "description", "seed", "faults"])
    else { return nil }
    fields.checkVersion(FaultFile.key, in: members, of: "the file")
    _ = fields.text("description", in: members)
    let seed = fields.integer("seed", in: members, from: 0...Int.max)
    guard members["faults"] != nil else {
      fields.require("faults", in: members, of: "the file")
      return nil
    }
    let rules = fields.elements("faults", in: members).compactMap { rule($0) }
    return FaultPlan(rules, seed: seed.map { UInt64($0) })
  }

  private static let effects = ["operation", "call", "world"]
  private static let occasions = ["nth", "every", "first", "probability"]

  private mutating func rule(_ node: YAMLNode) -> FaultRule? {
    let known = ["method", "path", "name", "after"] + Self.occasions + Self.effects
    guard let members = fields.members(of: node, "a fault", known: known) else { return nil }
    let condition = condition(members)
    guard let (key, value) = one(of: Self.effects, in: members, "a fault") else { return nil }
    let effect: FaultRule.Effect? =
      switch key {
      case "operation": operationFault(value).map { .operation($0) }
      case "call": callFault(value).map { .call($0) }
      default: worldFault(value).map { .world($0) }
      }
    return effect.map { FaultRule($0, when: condition) }
  }

  /// The one key of several that is present; none or more than one is reported.
  mutating func one(
    of keys: [String], in members: FieldReader.Members, _ subject: Subject
  ) -> (key: String, value: YAMLNode)? {
    let present = members.entries.filter { keys.contains($0.key) }
    guard let first = present.first else {
      if !keys.contains(where: members.mentions) {
        fields.report(
          RuleID.missingKey, "\(subject) needs one of \(keys.joined(separator: ", "))",
          at: members.location)
      }
      return nil
    }
    for entry in present.dropFirst() {
      fields.report(
        RuleID.misplacedKey, "\(subject) can have one effect only, and has '\(first.key)' already",
        at: entry.keyLocation, hint: "write a separate fault")
    }
    return (first.key, first.value)
  }

  private mutating func condition(_ members: FieldReader.Members) -> FaultCondition {
    var condition = FaultCondition()
    condition.method = fields.choice("method", in: members)
    if let node = members["path"] { condition.path = pattern(node) }
    condition.name = fields.filledText("name", in: members)
    condition.delay = fields.duration("after", in: members, allowsZero: true) ?? .zero
    condition.occasion = occasion(members) ?? .always
    return condition
  }

  private mutating func pattern(_ node: YAMLNode) -> PathPattern? {
    guard let text = fields.filledText(node, Subject(key: "path")) else { return nil }
    if let pattern = PathPattern(text) { return pattern }
    fields.report(
      RuleID.invalidValue,
      "\(Subject("the path", text)) has an empty segment, a query, or more than "
        + "\(PathPattern.maximumLength) segments", at: node.location,
      hint: "write me/feed, */feed or **")
    return nil
  }

  private mutating func occasion(_ members: FieldReader.Members) -> FaultCondition.Occasion? {
    let present = members.entries.filter { Self.occasions.contains($0.key) }
    guard let first = present.first else { return nil }
    for entry in present.dropFirst() {
      fields.report(
        RuleID.misplacedKey, "'\(first.key)' already selects the operations at which it happens",
        at: entry.keyLocation, hint: "remove one of them")
    }
    let subject = Subject(key: first.key)
    guard first.key != "probability" else {
      return fields.number(first.value, subject, in: 0...1).map { .chance($0) }
    }
    guard let count = fields.integer(first.value, subject, in: 1...1_000_000_000) else {
      return nil
    }
    switch first.key {
    case "nth": return .nth(count)
    case "every": return .everyNth(count)
    default: return .first(count)
    }
  }
}
