internal import GraphAPI
internal import JSONPath

/// Reads `retry` and `errors`: what is a failure, and which failures are worth another attempt.
struct ErrorReader {
  private typealias RetryKey = TemplateReader.Key<RetryPolicy>

  let reader: TemplateReader

  private static let retryTable = [
    RetryKey("max_attempts", \.maxAttempts) { $0.integer($1, $2, atLeast: 1) },
    RetryKey("initial_delay", \.initialDelay) { $0.duration($1, $2, allowsZero: true) },
    RetryKey("multiplier", \.multiplier) { ErrorReader(reader: $0).multiplier($1, $2) },
    RetryKey("max_delay", \.maxDelay) { $0.duration($1, $2, allowsZero: true) },
    RetryKey("jitter", \.jitter) { $0.choice($1, $2) },
    RetryKey("max_elapsed", \.maxElapsed) { $0.duration($1, $2) },
    RetryKey("on", \.on) { reader, node, subject in
      reader.elements(of: node, subject)?.compactMap { ErrorReader(reader: reader).condition($0) }
    },
  ]

  static let retryKeys = retryTable.map(\.name)

  /// Reads `retry`: `false`, or a map whose keys override those of the workflow's defaults.
  func retry(_ node: YAMLNode, over defaults: RetryPolicy?) -> RetryPolicy? {
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
      reader.reportType(node, "'retry'", takes: "a map or false", hint: hint)
      return policy
    }
    if let members = reader.members(of: node, "'retry'", known: Self.retryKeys) {
      reader.read(members, into: &policy, by: Self.retryTable)
    }
    return policy
  }

  private func multiplier(_ node: YAMLNode, _ subject: Subject) -> Double? {
    guard let number = reader.number(node, subject)?.double else { return nil }
    if number >= 1, number.isFinite { return number }
    return reader.refuse(node, "\(subject) must be 1 or more")
  }

  /// A category, a reason, a code, or `CODE/SUBCODE`.
  private func condition(_ node: YAMLNode) -> RetryPolicy.Condition? {
    switch node.scalarValue {
    case .integer(let number)?:
      if let code = number.integer { return .code(code, subcode: nil) }
      reader.report(.invalidValue, "this number is too large for an error code", at: node.location)
    case .string(let text)?:
      if let category = ErrorCategory(rawValue: text) { return .category(category) }
      if let reason = FailureReason(rawValue: text) { return .reason(reason) }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      if parts.count == 2, let code = parts[0], let subcode = parts[1] {
        return .code(code, subcode: subcode)
      }
      let words = ErrorCategory.allCases.map(\.rawValue) + FailureReason.allCases.map(\.rawValue)
      reader.report(
        .invalidValue, "'\(YAMLFault.short(text))' is not a category, reason or error code",
        at: node.location, nearest: reader.suggestion(for: text, among: words),
        otherwise: "write transient, throttled, 4 or 100/33")
    default: reader.reportType(node, "'on'", takes: "categories, reasons and error codes")
    }
    return nil
  }

  /// The workflow's own rules for classifying errors (docs/reference/language.md, "Errors").
  func rules(_ node: YAMLNode) -> [ErrorRule] {
    (reader.elements(of: node, "'errors'") ?? []).compactMap { rule($0) }
  }

  private func rule(_ node: YAMLNode) -> ErrorRule? {
    let keys = ["code", "subcode", "category", "reason"]
    guard let members = reader.members(of: node, "an entry of 'errors'", known: keys) else {
      return nil
    }
    let code = reader.required("code", in: members).flatMap {
      reader.integer($0, "'code'", atLeast: 0)
    }
    let subcode = members["subcode"].flatMap { reader.integer($0, "'subcode'", atLeast: 0) }
    let category = reader.required("category", in: members).flatMap {
      reader.choice($0, "'category'", of: ErrorCategory.self)
    }
    let reason = members["reason"].flatMap { reader.choice($0, "'reason'", of: FailureReason.self) }
    guard let code, let category else { return nil }
    return ErrorRule(code: code, subcode: subcode, category: category, reason: reason)
  }
}
