internal import GraphAPI
internal import JSONPath

/// Reads `retry` and `errors`: what is a failure, and which failures are worth another attempt.
struct ErrorReader: PartReading {
  private typealias RetryKey = YAMLKey<ErrorReader, RetryPolicy>

  let reader: TemplateReader

  private static let retryTable = [
    RetryKey("max_attempts", \.maxAttempts) { $0.integer($1, $2, atLeast: 1) },
    RetryKey("initial_delay", \.initialDelay) { $0.duration($1, $2, allowsZero: true) },
    RetryKey("multiplier", \.multiplier) { $0.multiplier($1, $2) },
    RetryKey("max_delay", \.maxDelay) { $0.duration($1, $2, allowsZero: true) },
    RetryKey("jitter", \.jitter) { $0.choice($1, $2) },
    RetryKey("max_elapsed", \.maxElapsed) { $0.duration($1, $2) },
    RetryKey("on", \.on) { reader, node, subject in
      reader.elements(of: node, subject)?.compactMap { reader.condition($0) }
    },
  ]

  static let retryKeys = retryTable.map(\.name)

  /// Reads `retry`: `false`, or a map whose keys override those of the workflow's defaults.
  func retry(_ node: YAMLNode, over defaults: RetryPolicy?) -> RetryPolicy? {
    if case .bool(false)? = node.scalarValue { return nil }
    var policy = defaults ?? .standard
    guard case .mapping = node.content else {
      let isOn = node.scalarValue == .bool(true)
      reportType(
        node, "'retry'", takes: "a map or false",
        hint: isOn ? "remove it: transient failures are retried by default" : node.retryHint)
      return policy
    }
    if let members = members(of: node, "'retry'", known: Self.retryKeys) {
      read(members, into: &policy, by: Self.retryTable)
    }
    return policy
  }

  private func multiplier(_ node: YAMLNode, _ subject: Subject) -> Double? {
    guard let number = number(node, subject)?.double else { return nil }
    if number >= 1, number.isFinite { return number }
    return refuse(node, "\(subject) must be 1 or more")
  }

  /// A category, a reason, a code, or `CODE/SUBCODE`.
  private func condition(_ node: YAMLNode) -> RetryPolicy.Condition? {
    switch node.scalarValue {
    case .integer(let number)?:
      if let code = number.integer { return .code(code, subcode: nil) }
      report(.invalidValue, "this number is too large for an error code", at: node.location)
    case .string(let text)?:
      if let category = ErrorCategory(rawValue: text) { return .category(category) }
      if let reason = FailureReason(rawValue: text) { return .reason(reason) }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      if parts.count == 2, let code = parts[0], let subcode = parts[1] {
        return .code(code, subcode: subcode)
      }
      let words = ErrorCategory.allCases.map(\.rawValue) + FailureReason.allCases.map(\.rawValue)
      report(
        .invalidValue, "'\(text.short)' is not a category, reason or error code",
        at: node.location, nearest: suggestion(for: text, among: words),
        otherwise: "write transient, throttled, 4 or 100/33")
    default: reportType(node, "'on'", takes: "categories, reasons and error codes")
    }
    return nil
  }

  /// The workflow's own rules for classifying errors (docs/reference/language.md, "Errors").
  func rules(_ node: YAMLNode) -> [ErrorRule] {
    (elements(of: node, "'errors'") ?? []).compactMap { rule($0) }
  }

  private func rule(_ node: YAMLNode) -> ErrorRule? {
    let keys = ["code", "subcode", "category", "reason"]
    guard let members = members(of: node, "an entry of 'errors'", known: keys) else {
      return nil
    }
    let code = required("code", in: members).flatMap {
      integer($0, "'code'", atLeast: 0)
    }
    let subcode = members["subcode"].flatMap { integer($0, "'subcode'", atLeast: 0) }
    let category = required("category", in: members).flatMap {
      choice($0, "'category'", of: ErrorCategory.self)
    }
    let reason = members["reason"].flatMap { choice($0, "'reason'", of: FailureReason.self) }
    guard let code, let category else { return nil }
    return ErrorRule(code: code, subcode: subcode, category: category, reason: reason)
  }
}
