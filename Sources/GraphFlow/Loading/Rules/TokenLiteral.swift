/// Tokens do not belong in files (docs/language.md, "Secrets").
enum TokenLiteral {
  /// More of them in one file are not listed.
  private static let maximumCount = 100

  /// A diagnostic for everything in a file, comments included, that looks like a token.
  static func diagnostics(for source: SourceFile) -> [Diagnostic] {
    let ranges = source.bytes.withUnsafeBufferPointer { TokenShape.ranges(in: $0) }
    guard !ranges.isEmpty else { return [] }
    let lines = SourceLines(of: source.bytes)
    return ranges.prefix(maximumCount).map { range in
      Diagnostic(
        rule: RuleID.tokenLiteral.rawValue,
        message: "this looks like an access token",
        file: source.path,
        location: lines.location(ofBytes: range),
        hint: "revoke it, and name a profile with 'token:' instead"
      )
    }
  }
}
