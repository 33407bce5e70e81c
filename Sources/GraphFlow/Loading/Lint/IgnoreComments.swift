/// The comments of a file that silence rules, and which of them were used.
struct IgnoreComments {
  /// A rule on a line that a comment silences.
  private struct Key: Hashable {
    let line: Int
    let rule: String
  }

  private let comments: [IgnoreComment]
  /// Whether each silenced rule has silenced a diagnostic.
  private var isUsed: [Key: Bool] = [:]

  init(in source: SourceFile) {
    comments = IgnoreComment.comments(in: source)
    for comment in comments {
      for name in comment.names { isUsed[Key(line: comment.line, rule: name.text)] = false }
    }
  }

  /// Whether a comment silences a diagnostic; the comment then counts as used.
  ///
  /// Errors stay: a file with an error cannot be used, whatever its comments.
  mutating func silence(_ diagnostic: Diagnostic) -> Bool {
    let key = Key(line: diagnostic.location.line, rule: diagnostic.rule)
    guard !isUsed.isEmpty, diagnostic.severity != .error, isUsed[key] != nil else { return false }
    isUsed[key] = true
    return true
  }

  /// Reports comments that name no rule or silence nothing.
  ///
  /// - Parameters:
  ///   - findings: The diagnostics that are not silenced.
  ///   - isValid: Whether every rule has run; if not, an unused comment may still be needed.
  func report(to findings: inout Findings, isValid: Bool) {
    guard !comments.isEmpty else { return }
    let errors = Set(
      findings.diagnostics.filter { $0.severity == .error }
        .map { Key(line: $0.location.line, rule: $0.rule) })
    for comment in comments {
      if comment.names.isEmpty { Self.reportNameless(comment, &findings) }
      for name in comment.names where isUsed[Key(line: comment.line, rule: name.text)] == false {
        if RuleID(rawValue: name.text) == nil {
          Self.reportUnknown(name, &findings)
        } else if errors.contains(Key(line: comment.line, rule: name.text)) {
          findings.report(
            .unusedIgnore, "'\(name.text)' is an error here, and errors cannot be ignored",
            as: .note, at: name.location)
        } else if isValid, !findings.isCut {
          findings.report(
            .unusedIgnore, "'\(name.text)' reports nothing on line \(comment.line)", as: .note,
            at: name.location, hint: "remove it")
        }
      }
    }
  }

  private static func reportNameless(_ comment: IgnoreComment, _ findings: inout Findings) {
    findings.report(
      .unknownRule, "this comment names no rule to ignore", as: .warning, at: comment.location,
      hint: "add the id of a rule: # graphflow: ignore unused-input")
  }

  private static func reportUnknown(_ name: IgnoreComment.Name, _ findings: inout Findings) {
    let nearest = NearestName.to(name.text, among: RuleID.allCases.map(\.rawValue))
    findings.report(
      .unknownRule, "no rule is named '\(YAMLFault.short(name.text))'", as: .warning,
      at: name.location,
      hint: nearest.map { "did you mean '\($0)'?" }
        ?? "ids are listed in docs/reference/diagnostics.md", fix: nearest)
  }
}
