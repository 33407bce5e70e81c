extension ErrorTable {
  /// The judgement on an error, by the table alone.
  ///
  /// - Parameters:
  ///   - error: What Graph stated in the operation's answer.
  ///   - status: The operation's HTTP status.
  /// - Returns: What kind of error it is, and whether another attempt is useful and safe.
  public func classification(of error: GraphError, status: Int) -> Classification {
    classification(of: error, status: status, rules: [])
  }

  /// The judgement on an error.
  ///
  /// The order is: `is_transient`; the workflow's own rules; the table by code and subcode, by
  /// code, by subcode; the HTTP status. Throttles always prove that nothing happened; codes 1 and
  /// 2, `is_transient` and statuses of 500 and more never do; other error objects do under a status
  /// of 400 to 499. A write that took effect though reading it back failed proves the contrary.
  /// An error that Graph has not stated is judged as an answer that cannot be used; one that is part
  /// of a good answer about a report is not sent for again, as it stays the same.
  package func classification(
    of error: GraphError,
    status: Int,
    rules: [ErrorRule]
  ) -> Classification {
    guard error.isStated else { return classification(ofUnusableAnswer: status) }
    let code = error.effectiveCode
    let message = [error.message, error.userTitle, error.userMessage].compactMap(\.self)
    let row =
      row(
        code: code,
        subcode: error.subcode,
        message: message.joined(separator: "\n"),
        status: status
      ) ?? Self.lastResort
    let rule = Self.rule(for: code, subcode: error.subcode, in: rules)
    if error.isOfReport { return Self.classification(ofReport: row, rule) }
    let statesTransient = error.isTransient == true
    let category = statesTransient ? .transient : rule?.category ?? row.category
    let isOverruled = category != row.category
    let reason = rule?.reason ?? (statesTransient && isOverruled ? .server : row.reason)
    return Classification(
      category: category,
      reason: reason,
      isRetryUseful: isOverruled ? category != .other : row.isRetryUseful,
      isThrottle: reason == .throttled && (rule?.reason == .throttled || row.isRetryUseful),
      provesNothingHappened: isProof(error, status: status, row: row, category: category),
      hint: statesTransient && isOverruled
        ? "Graph says that this passes by itself; send it again after a while. \(row.hint)"
        : row.hint,
      source: statesTransient && isOverruled
        ? "The error's own is_transient. \(row.source)" : row.source
    )
  }

  /// The judgement on an answer that cannot be used, whole or for one operation: it may have been
  /// cut short or changed on its way, or be somebody else's than Graph's.
  ///
  /// It is worth another attempt, and only status 429 proves that nothing happened. What else the
  /// status says counts only where it passes by itself.
  package func classification(ofUnusableAnswer status: Int) -> Classification {
    let own = row(status: status)
    let isKnown = own?.category == .transient
    let row = (isKnown ? own : row(status: 500)) ?? Self.lastResort
    return Classification(
      category: row.category,
      reason: row.reason,
      isRetryUseful: row.isRetryUseful,
      isThrottle: row.reason == .throttled,
      provesNothingHappened: row.proof == .always,
      hint: isKnown ? row.hint : Self.unusableHint,
      source: row.source
    )
  }

  private static let unusableHint =
    "The answer was cut short, is too large or is not Graph's; send it again, or ask for less."

  /// The judgement on a report that failed: to read it again gives the same.
  ///
  /// It is no throttle of what is sent now, whatever its code.
  private static func classification(ofReport row: Row, _ rule: ErrorRule?) -> Classification {
    let reason = row.reason == .throttled ? FailureReason.server : row.reason
    return Classification(
      category: rule?.category ?? .other,
      reason: rule?.reason ?? reason,
      isRetryUseful: rule.map { $0.category != .other } ?? false,
      isThrottle: false,
      provesNothingHappened: false,
      hint: "The report failed, and reading it again gives the same. \(row.hint)",
      source: row.source
    )
  }

  /// The judgement on an operation that a batch did not finish or did not run, without saying why: that
  /// of error 960.
  ///
  /// Where a dependency of it failed, the caller knows better: then nothing happened.
  package func classificationOfUnexecuted() -> Classification {
    let error = GraphError(message: "", code: GraphError.abortedCode)
    return classification(of: error, status: 400)
  }

  private func isProof(
    _ error: GraphError,
    status: Int,
    row: Row,
    category: ErrorCategory
  ) -> Bool {
    guard error.originalResponse == nil else { return false }
    // What is known of one kind of error goes before what is known of its status.
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

  private static let lastResort = Row(
    subject: .status(0...999),
    name: "unknown",
    category: .other,
    reason: .unknown,
    isRetryUseful: false,
    proof: .never,
    hint: "Read Graph's message.",
    source: "no source"
  )
}
