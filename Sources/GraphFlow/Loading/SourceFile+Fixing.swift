extension SourceFile {
  /// The file with every certain typo fixed.
  ///
  /// Only the misspelt words are replaced; every other byte stays. A fix may uncover another
  /// problem, so this repeats until nothing changes: it is idempotent.
  package func fixed(
    _ settings: LintSettings = .standard
  ) -> (source: SourceFile, count: Int) {
    var source = self
    var count = 0
    for _ in 0..<Self.maximumRounds {
      let before = Workflow.readingParts(source, settings: settings).diagnostics
      let all = TextEdit.edits(for: before, in: source)
      // Some edit may cause a new error, such as a second 'get' in a request: then one at a time.
      let trials = [all] + all.prefix(Self.maximumTrials).map { [$0] }
      var isChanged = false
      for edits in trials where !edits.isEmpty {
        guard let fixed = source.applying(edits, ifNotWorseThan: before) else { continue }
        source = fixed
        count += edits.count
        isChanged = true
        break
      }
      guard isChanged else { break }
    }
    return (source, count)
  }

  private static let maximumRounds = 100
  private static let maximumTrials = 100

  /// The rules that an edit must not break.
  private static let protectedRules: Set<String> = Set(
    [
      RuleID.duplicateKey, .oneMethod, .syntax, .dependencyCycle, .selfReference, .limit,
      .misplacedKey,
    ].map(\.rawValue))

  private static func breaches(in diagnostics: [Diagnostic]) -> Set<[String]> {
    Set(
      diagnostics.filter { protectedRules.contains($0.rule) }.map {
        [$0.rule, "\($0.location.line)"]
      })
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
    var fixed = SourceFile(path: path, bytes: bytes)
    (fixed.parts, fixed.included) = (parts, included)
    for index in parts.indices {
      func moved(_ byte: Int) -> Int {
        let earlier = edits.filter { $0.range.upperBound <= byte }
        return byte + earlier.reduce(0) { $0 + $1.replacement.count - $1.range.count }
      }
      let range = parts[index].range
      fixed.parts[index].range = moved(range.lowerBound)..<moved(range.upperBound)
    }
    let after = Workflow.readingParts(fixed).diagnostics
    // Edits keep the number of lines, so an existing error is on the same line afterwards.
    let isWorse = !Self.breaches(in: after).isSubset(of: Self.breaches(in: before))
    return isWorse ? nil : fixed
  }
}

/// A range of a file's bytes, and its replacement.
struct TextEdit {
  let range: Range<Int>
  let replacement: [UInt8]

  /// The edits that fix these problems: in order, without overlaps.
  static func edits(for diagnostics: [Diagnostic], in source: SourceFile) -> [TextEdit] {
    guard diagnostics.contains(where: { $0.fix != nil }) else { return [] }
    let lines = SourceLines(of: source.bytes)
    var edits: [TextEdit] = []
    for diagnostic in diagnostics where diagnostic.file == source.path {
      guard let fix = diagnostic.fix, let range = lines.range(of: diagnostic.location),
        isPlausible(fix, for: String(decoding: source.bytes[range], as: UTF8.self), diagnostic),
        range.lowerBound >= edits.last?.range.upperBound ?? 0
      else { continue }
      edits.append(TextEdit(range: range, replacement: Array(fix.utf8)))
    }
    return edits
  }

  /// Whether the text at a place is what the fix is for: the location of a text on several lines
  /// covers its first line only, which must not be replaced.
  private static func isPlausible(_ fix: String, for text: String, _ diagnostic: Diagnostic) -> Bool
  {
    if fix.isEmpty { return text == "/" }
    if fix == "\"\(text)\"" { return true }
    // A fix that is not a name would be read as something else and fixed again and again.
    guard fix.utf8.allSatisfy({ WorkflowName.isPart($0) || $0 == UInt8(ascii: ".") }) else {
      return false
    }
    let word = text.filter { $0 != "\"" && $0 != "'" }
    if diagnostic.rule.hasPrefix("retired-") {
      return diagnostic.message.contains("'\(word)'")
    }
    return word != fix && NearestName.to(word, among: [fix]) == fix
  }
}
