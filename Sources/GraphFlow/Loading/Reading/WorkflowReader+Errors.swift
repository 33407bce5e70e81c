internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// The workflow's own rules for classifying errors (docs/language.md, "Errors").
  mutating func errorRules(_ node: YAMLNode) -> [ErrorRule] {
    guard let elements = elements(of: node, "'errors'") else { return [] }
    return elements.compactMap { errorRule($0) }
  }

  private mutating func errorRule(_ node: YAMLNode) -> ErrorRule? {
    let keys = ["code", "subcode", "category", "reason"]
    guard let members = members(of: node, "an entry of 'errors'", known: keys) else { return nil }
    var code: Int?
    if let node = required("code", in: members, of: "an entry of 'errors'") {
      code = integer(node, "'code'", atLeast: 0)
    }
    let subcode = members["subcode"].flatMap { integer($0, "'subcode'", atLeast: 0) }
    var category: ErrorCategory?
    if let node = required("category", in: members, of: "an entry of 'errors'") {
      category = choice(node, "'category'")
    }
    let reason = members["reason"].flatMap { choice($0, "'reason'", of: FailureReason.self) }
    guard let code, let category else { return nil }
    return ErrorRule(code: code, subcode: subcode, category: category, reason: reason)
  }
}
