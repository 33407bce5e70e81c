extension SourceFile {
  /// The file with everything mended that is certain to be a slip of the pen.
  ///
  /// Only the wrong words are replaced; every other byte stays. What was mended may uncover more, so
  /// it goes on until nothing changes: mending twice is mending once.
  ///
  /// - Returns: The mended file, and how many words were replaced; 0 if nothing was.
  package func fixed() -> (source: SourceFile, count: Int) {
    var source = self
    var count = 0
    for _ in 0..<Self.maximumRounds {
      let before = Workflow.reading(source).diagnostics
      let edits = TextEdit.edits(for: before, in: source)
      guard !edits.isEmpty else { break }
      if let fixed = source.applying(edits, ifNotWorseThan: before) {
        source = fixed
        count += edits.count
        continue
      }
      // One of them does harm, such as a second 'get' in one request: they are tried one by one.
      var isChanged = false
      for edit in edits.prefix(Self.maximumTrials) {
        guard let fixed = source.applying([edit], ifNotWorseThan: before) else { continue }
        source = fixed
        count += 1
        isChanged = true
        break
      }
      guard isChanged else { break }
    }
    return (source, count)
  }

  private static let maximumRounds = 100
  private static let maximumTrials = 100

  /// What must not come up where something was mended.
  private static let harm: Set<String> = Set(
    [
      RuleID.duplicateKey, .oneMethod, .syntax, .dependencyCycle, .selfReference, .limit,
      .misplacedKey,
    ].map(\.rawValue)
  )

  private static func harms(in diagnostics: [Diagnostic]) -> Set<[String]> {
    Set(
      diagnostics.filter { harm.contains($0.rule) }.map { [$0.rule, "\($0.location.line)"] }
    )
  }

  private func applying(_ edits: [TextEdit], ifNotWorseThan before: [Diagnostic]) -> SourceFile? {
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits {
      bytes += self.bytes[position..<edit.range.lowerBound]
      bytes += edit.replacement
      position = edit.range.upperBound
    }
    bytes += self.bytes[position...]
    let fixed = SourceFile(path: path, bytes: bytes)
    let after = Workflow.reading(fixed).diagnostics
    // No line is made or lost, so a harm that was there before is there again.
    let isWorse = !Self.harms(in: after).isSubset(of: Self.harms(in: before))
    return isWorse ? nil : fixed
  }
}

/// Bytes of a file, and what stands there instead.
struct TextEdit {
  let range: Range<Int>
  let replacement: [UInt8]

  /// The edits that mend these problems: in order, none over another.
  static func edits(for diagnostics: [Diagnostic], in source: SourceFile) -> [TextEdit] {
    guard diagnostics.contains(where: { $0.fix != nil }) else { return [] }
    let lines = SourceLines(of: source.bytes)
    var edits: [TextEdit] = []
    for diagnostic in diagnostics {
      guard let fix = diagnostic.fix, let range = lines.range(of: diagnostic.location),
        isPlausible(fix, for: String(decoding: source.bytes[range], as: UTF8.self), diagnostic),
        range.lowerBound >= edits.last?.range.upperBound ?? 0
      else { continue }
      edits.append(TextEdit(range: range, replacement: Array(fix.utf8)))
    }
    return edits
  }

  /// Whether the text at a place is what the fix is for.
  ///
  /// A text that lies on several lines is known by its first line only, which is not to be replaced.
  private static func isPlausible(
    _ fix: String,
    for text: String,
    _ diagnostic: Diagnostic
  ) -> Bool {
    if fix.isEmpty { return text == "/" }
    if fix == "\"\(text)\"" { return true }
    // A name that is no name would be read as something else, again and again.
    guard fix.utf8.allSatisfy({ WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }) else {
      return false
    }
    let word = text.filter { $0 != "\"" && $0 != "'" }
    if diagnostic.rule == RuleID.retiredPermission.rawValue {
      return diagnostic.message.contains("'\(word)'")
    }
    return word != fix && NearestName.to(word, among: [fix]) == fix
  }
}
