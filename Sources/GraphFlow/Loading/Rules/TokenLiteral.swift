/// A token in the file (docs/reference/language.md, "Secrets").
enum TokenLiteral {
  private static let maximumCount = 100

  /// Reports every text in a file, comments included, that looks like a token.
  static func check(_ source: SourceFile, _ findings: Findings) {
    let ranges = source.bytes.withUnsafeBufferPointer { TokenShape.ranges(in: $0) }
    guard !ranges.isEmpty else { return }
    let lines = SourceLines(of: source.bytes)
    for range in ranges.prefix(maximumCount) {
      findings.report(
        .tokenLiteral, "this looks like an access token", at: lines.location(ofBytes: range),
        hint: "revoke it, and name a profile with 'token:' instead")
    }
  }
}
