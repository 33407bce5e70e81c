extension ErrorTable {
  /// The judgement on an error.
  ///
  /// The order is: `is_transient`; the workflow's own rules; the table by code and subcode, by
  /// code, by subcode; the HTTP status. Throttles always prove that nothing happened; codes 1 and
  /// 2, `is_transient` and statuses of 500 and more never do; other error objects do under a status
  /// of 400 to 499. A write that took effect though reading it back failed proves the contrary.
  public func classification(
    of error: GraphError,
    status: Int,
    rules: [ErrorRule] = []
  ) -> Classification {
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
    let saysTransient = error.isTransient == true
    let category = saysTransient ? .transient : rule?.category ?? row.category
    let isOverruled = category != row.category
    let reason = rule?.reason ?? (saysTransient && isOverruled ? .server : row.reason)
    return Classification(
      category: category,
      reason: reason,
      isRetryUseful: isOverruled ? category != .other : row.isRetryUseful,
      provesNothingHappened: isProof(error, status: status, row: row, category: category),
      hint: saysTransient && isOverruled
        ? "Graph says that this passes by itself; send it again after a while." : row.hint,
      source: saysTransient && isOverruled
        ? "The error's own is_transient. \(row.source)" : row.source
    )
  }

  /// The judgement on an answer that could not be read: by its status alone.
  ///
  /// One with a good status is a fault on the way. Only 429 proves that nothing happened.
  public func classification(ofUnreadableAnswer status: Int) -> Classification {
    let isGood = (200...299).contains(status)
    let row = row(status: isGood ? 500 : status) ?? Self.lastResort
    return Classification(
      category: row.category,
      reason: row.reason,
      isRetryUseful: row.isRetryUseful,
      provesNothingHappened: row.proof == .always,
      hint: isGood ? "The answer was cut short or is not Graph's; send it again." : row.hint,
      source: row.source
    )
  }

  /// The judgement on an operation that a batch did not finish or did not run: that of error 960.
  ///
  /// Where a dependency of it failed, the caller knows better: then nothing happened.
  public func classificationOfUnexecuted() -> Classification {
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
    if row.proof == .always || self.row(status: status)?.proof == .always { return true }
    return row.proof == .refusal && category != .transient && error.isStated
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
