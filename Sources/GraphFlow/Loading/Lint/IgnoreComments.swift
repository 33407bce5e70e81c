/// The comments of a file that silence rules, and which of them were needed.
struct IgnoreComments {
  /// What a name in a comment is about.
  private struct Key: Hashable {
    let line: Int
    let rule: String
  }

  private let comments: [IgnoreComment]
  /// What the names in the comments are about, and whether it was needed.
  private var isUsed: [Key: Bool] = [:]

  init(in source: SourceFile) {
    comments = IgnoreComment.comments(in: source)
    for comment in comments {
      for name in comment.names { isUsed[Key(line: comment.line, rule: name.text)] = false }
    }
  }

  /// Whether a comment silences a diagnostic, which is noted.
  ///
  /// Errors stay: a file that has one cannot be used, whatever a comment says.
  mutating func silence(_ diagnostic: Diagnostic) -> Bool {
    let key = Key(line: diagnostic.location.line, rule: diagnostic.rule)
    guard !isUsed.isEmpty, diagnostic.severity != .error, isUsed[key] != nil else { return false }
    isUsed[key] = true
    return true
  }

  /// Reports comments that name no rule, or silence nothing.
  ///
  /// - Parameters:
  ///   - findings: What was found, and is not silenced.
  ///   - isValid: Whether every rule has been asked; if not, nobody knows whether a comment silences
  ///     something.
  func report(to findings: inout Findings, isValid: Bool) {
    guard !comments.isEmpty else { return }
    let errors = Set(
      findings.diagnostics.filter { $0.severity == .error }
        .map { Key(line: $0.location.line, rule: $0.rule) }
    )
    for comment in comments {
      if comment.names.isEmpty { Self.reportNameless(comment, &findings) }
      for name in comment.names where isUsed[Key(line: comment.line, rule: name.text)] == false {
        if RuleID(rawValue: name.text) == nil {
          Self.reportUnknown(name, &findings)
        } else if errors.contains(Key(line: comment.line, rule: name.text)) {
          findings.report(
            .unusedIgnore,
            "'\(name.text)' is an error here, and errors cannot be ignored",
            as: .note,
            at: name.location
          )
        } else if isValid, !findings.isCut {
          findings.report(
            .unusedIgnore,
            "'\(name.text)' has nothing to say about line \(comment.line)",
            as: .note,
            at: name.location,
            hint: "remove it"
          )
        }
      }
    }
  }

  private static func reportNameless(_ comment: IgnoreComment, _ findings: inout Findings) {
    findings.report(
      .unknownRule,
      "this comment does not say which rule to ignore",
      as: .warning,
      at: comment.location,
      hint: "write the id that stands in brackets: # graphflow: ignore unused-input"
    )
  }

  private static func reportUnknown(_ name: IgnoreComment.Name, _ findings: inout Findings) {
    let nearest = NearestName.to(name.text, among: RuleID.allCases.map(\.rawValue))
    findings.report(
      .unknownRule,
      "no rule is named '\(YAMLFault.short(name.text))'",
      as: .warning,
      at: name.location,
      hint: nearest.map { "did you mean '\($0)'?" }
        ?? "ids are listed in docs/reference/diagnostics.md",
      fix: nearest
    )
  }
}
