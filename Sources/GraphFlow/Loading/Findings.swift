/// The diagnostics of one file as they are found: each once, and not without end.
package struct Findings {
  /// More than so many problems help nobody; what is beyond is only counted.
  static let maximumCount = 10_000

  let file: String
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var hasErrors = false
  private var seen: Set<Diagnostic> = []
  private var surplus = 0

  init(file: String) { self.file = file }

  /// Notes a problem, unless it is known already: aliases bring the same value up many times.
  mutating func report(
    _ rule: RuleID,
    _ message: String,
    as severity: Diagnostic.Severity = .error,
    at location: SourceLocation,
    hint: String? = nil,
    fix: String? = nil
  ) {
    add(
      Diagnostic(
        severity: severity,
        rule: rule.rawValue,
        message: message,
        file: file,
        location: location,
        hint: hint,
        fix: fix
      )
    )
  }

  /// Notes a problem, unless it is known already.
  mutating func add(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .error { hasErrors = true }
    guard diagnostics.count < Self.maximumCount else {
      surplus += 1
      return
    }
    if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  /// Whether there were more problems than are kept.
  var isCut: Bool { surplus > 0 }

  /// Takes out what the author does not want to hear.
  mutating func remove(where isUnwanted: (Diagnostic) -> Bool) {
    diagnostics.removeAll(where: isUnwanted)
  }

  /// All of them, sorted by place; the last one says if there were more.
  var sorted: [Diagnostic] {
    var list = diagnostics.sorted { $0.precedes($1) }
    if surplus > 0, let last = list.last {
      list.append(
        Diagnostic(
          severity: .note,
          rule: RuleID.limit.rawValue,
          message: "\(surplus) more problems are not shown",
          file: file,
          location: last.location
        )
      )
    }
    return list
  }
}
