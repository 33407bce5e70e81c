internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// What may be written under `retry`.
  static let retryKeys = [
    "max_attempts", "initial_delay", "multiplier", "max_delay", "jitter", "max_elapsed", "on",
  ]

  /// A `retry`: a map, or `false`.
  mutating func retry(_ node: YAMLNode) -> RetryKeys {
    var keys = RetryKeys()
    if case .bool(false)? = node.scalarValue {
      keys.isOff = true
      return keys
    }
    guard case .mapping = node.content else {
      var hint = "write retry: {max_attempts: 4}"
      switch node.scalarValue {
      case .bool(true)?: hint = "remove it: failures that pass are retried anyway"
      case .integer(let number)?:
        hint = "write retry: {max_attempts: \(YAMLFault.short(number.lexeme))}"
      default: break
      }
      reportType(node, "'retry'", takes: "a map or false", hint: hint)
      return keys
    }
    guard let members = members(of: node, "'retry'", known: Self.retryKeys) else { return keys }
    if let node = members["max_attempts"] {
      keys.maxAttempts = integer(node, "'max_attempts'", atLeast: 1)
    }
    if let node = members["initial_delay"] {
      keys.initialDelay = duration(node, "'initial_delay'", allowsZero: true)
    }
    if let node = members["multiplier"] { keys.multiplier = multiplier(node) }
    if let node = members["max_delay"] {
      keys.maxDelay = duration(node, "'max_delay'", allowsZero: true)
    }
    if let node = members["jitter"] { keys.jitter = choice(node, "'jitter'") }
    if let node = members["max_elapsed"] { keys.maxElapsed = duration(node, "'max_elapsed'") }
    if let node = members["on"], let elements = elements(of: node, "'on'") {
      keys.on = elements.compactMap { retryCondition($0) }
    }
    return keys
  }

  private mutating func multiplier(_ node: YAMLNode) -> Double? {
    guard let number = number(node, "'multiplier'")?.double else { return nil }
    if number >= 1, number.isFinite { return number }
    report(RuleID.invalidValue, "'multiplier' must be 1 or more", at: node.location)
    return nil
  }

  /// A category, a reason, a code, or a code and a subcode with `/` between them.
  private mutating func retryCondition(_ node: YAMLNode) -> RetryPolicy.Condition? {
    switch node.scalarValue {
    case .integer(let number)?:
      if let code = number.integer { return .code(code, subcode: nil) }
      report(RuleID.invalidValue, "no error code is this large", at: node.location)
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
        RuleID.invalidValue,
        "'\(YAMLFault.short(text))' is no category, reason or error code",
        at: node.location,
        nearest: nearest,
        otherwise: "write transient, throttled, 4 or 100/33"
      )
      return nil
    default:
      reportType(node, "'on'", takes: "categories, reasons and error codes")
      return nil
    }
  }
}
