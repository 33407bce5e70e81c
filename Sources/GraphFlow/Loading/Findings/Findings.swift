/// The diagnostics of one file: each once, and a limited number of them.
///
/// It is a class because several readers read the parts of one file.
package final class Findings {
  /// The most problems that are kept; more are only counted.
  static let maximumCount = 10_000

  let file: String
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var hasErrors = false
  private var seen: Set<Diagnostic> = []
  private var surplus = 0
  /// How many known names may still be compared with misspelt ones.
  var comparisonsLeft = LoadingLimits.comparisons

  init(file: String) { self.file = file }

  /// Adds a problem, unless it is a duplicate: aliases repeat the same value many times.
  func report(
    _ rule: RuleID, _ message: String, as severity: Diagnostic.Severity = .error,
    at location: SourceLocation, hint: String? = nil, fix: String? = nil
  ) {
    add(
      Diagnostic(
        severity: severity, rule: rule.rawValue, message: message, file: file, location: location,
        hint: hint, fix: fix))
  }

  func add(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .error { hasErrors = true }
    guard diagnostics.count < Self.maximumCount else {
      surplus += 1
      return
    }
    if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  /// Whether there were more problems than are kept.
  var isCut: Bool { surplus > 0 }

  func remove(where isUnwanted: (Diagnostic) -> Bool) { diagnostics.removeAll(where: isUnwanted) }

  /// The problems, sorted by location; a note at the end counts those that were not kept.
  var sorted: [Diagnostic] {
    var list = diagnostics.sorted { $0.precedes($1) }
    if surplus > 0, let last = list.last {
      list.append(
        Diagnostic(
          severity: .note, rule: RuleID.limit.rawValue,
          message: "\(surplus) more problems are not shown", file: file, location: last.location))
    }
    return list
  }
}
