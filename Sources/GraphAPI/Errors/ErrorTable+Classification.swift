extension ErrorTable {
  /// Classifies an error with the table alone.
  ///
  /// - Parameters:
  ///   - error: The error in the operation's answer.
  ///   - status: The operation's HTTP status.
  /// - Returns: The kind of error, and whether another attempt is useful and safe.
  public func classification(of error: GraphError, status: Int) -> Classification {
    classification(of: error, status: status, rules: [])
  }

  /// Classifies an error.
  ///
  /// The first match decides, in this order: `is_transient`; the workflow's own rules; the table by
  /// code and subcode, by code, by subcode; the HTTP status.
  ///
  /// Throttles always prove that nothing happened. Codes 1 and 2, `is_transient` and statuses of 500
  /// and above never do. Other error objects do with a status of 400 to 499, except if the write took
  /// effect and only reading it back failed.
  ///
  /// An error without an error object is classified as an unusable answer. The error of a failed
  /// report is not retried, because reading the report again gives the same error.
  package func classification(
    of error: GraphError, status: Int, rules: [ErrorRule]
  ) -> Classification {
    guard error.isFromGraph else { return classification(ofUnusableAnswer: status) }
    let code = error.effectiveCode
    let message = [error.message, error.userTitle, error.userMessage].compactMap(\.self)
    let row =
      row(
        code: code, subcode: error.subcode, message: message.joined(separator: "\n"), status: status
      ) ?? Self.fallback
    let rule = Self.rule(for: code, subcode: error.subcode, in: rules)
    if error.isReportFailure { return Self.classification(ofReport: row, rule) }
    let isMarkedTransient = error.isTransient == true
    let category = isMarkedTransient ? .transient : rule?.category ?? row.category
    let isOverruled = category != row.category
    let reason = rule?.reason ?? (isMarkedTransient && isOverruled ? .server : row.reason)
    return Classification(
      category: category, reason: reason,
      isRetryUseful: isOverruled ? category != .other : row.isRetryUseful,
      isThrottle: reason == .throttled && (rule?.reason == .throttled || row.isRetryUseful),
      provesNothingHappened: provesNothingHappened(
        error, status: status, row: row, category: category),
      hint: isMarkedTransient && isOverruled
        ? "Graph marks this error as temporary; send the request again after a while. \(row.hint)"
        : row.hint,
      source: isMarkedTransient && isOverruled
        ? "The error's own is_transient. \(row.source)" : row.source)
  }

  /// Classifies an unusable answer, of a whole call or of one operation.
  ///
  /// It may have been truncated or changed on its way, or not be from Graph. Another attempt is
  /// useful, and only status 429 proves that nothing happened. Otherwise the status counts only if
  /// its row is transient.
  package func classification(ofUnusableAnswer status: Int) -> Classification {
    let own = row(status: status)
    let isKnown = own?.category == .transient
    let row = (isKnown ? own : row(status: 500)) ?? Self.fallback
    return Classification(
      category: row.category, reason: row.reason, isRetryUseful: row.isRetryUseful,
      isThrottle: row.reason == .throttled, provesNothingHappened: row.proof == .always,
      hint: isKnown ? row.hint : Self.unusableHint, source: row.source)
  }

  private static let unusableHint =
    "The answer was truncated, is too large or is not from Graph; send it again, or ask for less."

  /// Classifies the error of a failed report: reading the report again gives the same error.
  ///
  /// It does not throttle other calls, whatever its code.
  private static func classification(ofReport row: Row, _ rule: ErrorRule?) -> Classification {
    let reason = row.reason == .throttled ? FailureReason.server : row.reason
    return Classification(
      category: rule?.category ?? .other, reason: rule?.reason ?? reason,
      isRetryUseful: rule.map { $0.category != .other } ?? false, isThrottle: false,
      provesNothingHappened: false,
      hint: "The report failed, and reading it again gives the same error. \(row.hint)",
      source: row.source)
  }

  /// Classifies an operation that a batch did not finish or did not run, without an error: as error
  /// 960.
  ///
  /// If a dependency of the operation failed, nothing happened; the caller has to check this.
  package func classificationOfUnexecutedOperation() -> Classification {
    let error = GraphError(message: "", code: GraphError.abortedCode)
    return classification(of: error, status: 400)
  }

  private func provesNothingHappened(
    _ error: GraphError, status: Int, row: Row, category: ErrorCategory
  ) -> Bool {
    guard error.originalResponse == nil else { return false }
    // A row about a subcode takes precedence over the row about the status.
    if row.proof == .never, row.subcode != nil { return false }
    if row.proof == .always || self.row(status: status)?.proof == .always { return true }
    return row.proof == .refusal && category != .transient
      && (400...499).contains(status)
  }

  private static func rule(for code: Int?, subcode: Int?, in rules: [ErrorRule]) -> ErrorRule? {
    let candidates = rules.filter { $0.code == code }
    return candidates.first { $0.subcode != nil && $0.subcode == subcode }
      ?? candidates.first { $0.subcode == nil }
  }

  private static let fallback = Row(
    subject: Row.Subject(description: "http 0...999", statuses: 0...999), name: "unknown",
    category: .other, reason: .unknown, isRetryUseful: false, proof: .never,
    hint: "Read Graph's message.", source: "no source")
}
