internal import GraphAPI
internal import JSONPath

extension YAMLReading {
  private static var retryTable: [YAMLKey<Self, RetryPolicy>] {
    [
      YAMLKey("max_attempts", \.maxAttempts) { $0.integer($1, $2, atLeast: 1) },
      YAMLKey("initial_delay", \.initialDelay) { $0.duration($1, $2, allowsZero: true) },
      YAMLKey("multiplier", \.multiplier) { $0.multiplier($1, $2) },
      YAMLKey("max_delay", \.maxDelay) { $0.duration($1, $2, allowsZero: true) },
      YAMLKey("jitter", \.jitter) { $0.choice($1, $2) },
      YAMLKey("max_elapsed", \.maxElapsed) { $0.duration($1, $2) },
      YAMLKey("on", \.on) { reader, node, subject in
        reader.elements(of: node, subject)?.compactMap { reader.retryCondition($0) }
      },
    ]
  }

  /// The keys of `retry`.
  static var retryKeys: [String] { retryTable.map(\.name) }

  /// Reads `retry`: `false`, or a map whose keys override those of the workflow's defaults.
  mutating func retry(_ node: YAMLNode, over defaults: RetryPolicy?) -> RetryPolicy? {
    if case .bool(false)? = node.scalarValue { return nil }
    var policy = defaults ?? .standard
    guard case .mapping = node.content else {
      var hint = "write retry: {max_attempts: 4}"
      switch node.scalarValue {
      case .bool(true)?: hint = "remove it: transient failures are retried by default"
      case .integer(let number)?:
        hint = "write retry: {max_attempts: \(YAMLFault.short(number.lexeme))}"
      default: break
      }
      reportType(node, "'retry'", takes: "a map or false", hint: hint)
      return policy
    }
    if let members = members(of: node, "'retry'", known: Self.retryKeys) {
      read(members, into: &policy, by: Self.retryTable)
    }
    return policy
  }

  private mutating func multiplier(_ node: YAMLNode, _ subject: Subject) -> Double? {
    guard let number = number(node, subject)?.double else { return nil }
    if number >= 1, number.isFinite { return number }
    report(RuleID.invalidValue, "\(subject) must be 1 or more", at: node.location)
    return nil
  }

  /// A category, a reason, a code, or `CODE/SUBCODE`.
  private mutating func retryCondition(_ node: YAMLNode) -> RetryPolicy.Condition? {
    switch node.scalarValue {
    case .integer(let number)?:
      if let code = number.integer { return .code(code, subcode: nil) }
      report(RuleID.invalidValue, "this number is too large for an error code", at: node.location)
      return nil
    case .string(let text)?:
      if let category = ErrorCategory(rawValue: text) { return .category(category) }
      if let reason = FailureReason(rawValue: text) { return .reason(reason) }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      if parts.count == 2, let code = parts[0], let subcode = parts[1] {
        return .code(code, subcode: subcode)
      }
      let words = ErrorCategory.allCases.map(\.rawValue) + FailureReason.allCases.map(\.rawValue)
      let nearest = suggestion(for: text, among: words)
      report(
        RuleID.invalidValue, "'\(YAMLFault.short(text))' is not a category, reason or error code",
        at: node.location, nearest: nearest, otherwise: "write transient, throttled, 4 or 100/33")
      return nil
    default:
      reportType(node, "'on'", takes: "categories, reasons and error codes")
      return nil
    }
  }

  /// The workflow's own rules for classifying errors (docs/reference/language.md, "Errors").
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
