/// The comments of a file that silence rules, and which of them were needed.
struct IgnoreComments {
  /// What a comment is about.
  private struct Key: Hashable {
    let line: Int
    let rule: String
  }

  /// A name in a comment.
  private struct Place: Hashable {
    let comment: Int
    let name: Int
  }

  private let comments: [IgnoreComment]
  private var places: [Key: [Place]] = [:]
  private var used: Set<Place> = []

  init(in source: SourceFile) {
    comments = IgnoreComment.comments(in: source)
    for (index, comment) in comments.enumerated() {
      for (number, name) in comment.names.enumerated() {
        places[Key(line: comment.line, rule: name.text), default: []]
          .append(Place(comment: index, name: number))
      }
    }
  }

  /// Whether a comment silences a diagnostic, which is noted.
  ///
  /// Errors stay: a file that has one cannot be used, whatever a comment says.
  mutating func silence(_ diagnostic: Diagnostic) -> Bool {
    guard !places.isEmpty, diagnostic.severity != .error,
      let found = places[Key(line: diagnostic.location.line, rule: diagnostic.rule)]
    else { return false }
    used.formUnion(found)
    return true
  }

  /// Reports comments that name no rule, or silence nothing.
  ///
  /// - Parameters:
  ///   - findings: What was found, and is not silenced.
  ///   - isSound: Whether every rule has been asked; if not, nobody knows whether a comment silences
  ///     something.
  func report(to findings: inout Findings, isSound: Bool) {
    guard !comments.isEmpty else { return }
    let errors = Set(
      findings.diagnostics.filter { $0.severity == .error }
        .map { Key(line: $0.location.line, rule: $0.rule) }
    )
    for (index, comment) in comments.enumerated() {
      if comment.names.isEmpty { Self.reportNameless(comment, &findings) }
      for (number, name) in comment.names.enumerated()
      where !used.contains(Place(comment: index, name: number)) {
        if RuleID(rawValue: name.text) == nil {
          Self.reportUnknown(name, &findings)
        } else if errors.contains(Key(line: comment.line, rule: name.text)) {
          findings.report(
            .unusedIgnore,
            "'\(name.text)' is an error here, and errors cannot be ignored",
            as: .note,
            at: name.location
          )
        } else if isSound, !findings.isCut {
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
      hint: nearest.map { "did you mean '\($0)'?" } ?? "ids are listed in docs/diagnostics.md",
      fix: nearest
    )
  }
}
