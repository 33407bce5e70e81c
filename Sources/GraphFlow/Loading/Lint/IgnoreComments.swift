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
  /// If the file is not valid, not every rule has run, so an unused comment may still be needed.
  func report(to findings: Findings, isValid: Bool) {
    guard !comments.isEmpty else { return }
    let errors = Set(
      findings.diagnostics.filter { $0.severity == .error }
        .map { Key(line: $0.location.line, rule: $0.rule) })
    for comment in comments {
      if comment.names.isEmpty {
        findings.report(
          .unknownRule, "this comment names no rule to ignore", as: .warning, at: comment.location,
          hint: "add the id of a rule: # graphflow: ignore unused-input")
      }
      for name in comment.names {
        let key = Key(line: comment.line, rule: name.text)
        guard isUsed[key] == false else { continue }
        if RuleID(rawValue: name.text) == nil {
          let nearest = NearestName.to(name.text, among: RuleID.allCases.map(\.rawValue))
          findings.report(
            .unknownRule, "no rule is named '\(name.text.short)'", as: .warning, at: name.location,
            hint: nearest.map { "did you mean '\($0)'?" }
              ?? "ids are listed in docs/reference/diagnostics.md", fix: nearest)
        } else if errors.contains(key) {
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
}

/// `# graphflow: ignore rule-id, rule-id`: silences these rules on its line or, if it is alone on
/// its line, on the next line with content.
struct IgnoreComment {
  /// The ids of the rules as written.
  let names: [YAMLName]
  /// The line whose diagnostics it silences.
  let line: Int
  let location: SourceLocation

  /// The comments of a file, in order; the same text inside a value is not a comment.
  static func comments(in source: SourceFile) -> [IgnoreComment] {
    var starts = candidates(in: source.bytes)
    guard !starts.isEmpty else { return [] }
    let lines = SourceLines(of: source.bytes)
    let spans = ScalarSpans(of: source)
    starts.removeAll { spans.contains(lines.location(ofByte: $0)) }
    // Backwards, because several comments in a row apply to the line below the last of them.
    var comments: [IgnoreComment] = []
    for start in starts.reversed() {
      comments.append(IgnoreComment(at: start, in: source.bytes, lines, before: comments.last))
    }
    return comments.reversed()
  }

  /// The places of `# graphflow: ignore` after white space, inside values or not.
  private static func candidates(in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      var starts: [Int] = []
      for index in bytes.indices where bytes[index] == UInt8(ascii: "#") {
        let isAfterBlank = index == 0 || bytes[index - 1] <= 0x20 || bytes[index - 1] == 0xbf
        if isAfterBlank, keywordEnd(in: bytes, at: index) != nil { starts.append(index) }
      }
      return starts
    }
  }

  /// The offset after `# graphflow: ignore`; nil if these words do not begin here.
  private static func keywordEnd(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    var index = start + 1
    for word in ["graphflow:", "ignore"] {
      while index < bytes.count, isBlank(bytes[index]) { index += 1 }
      guard bytes.dropFirst(index).starts(with: word.utf8) else { return nil }
      index += word.utf8.count
    }
    guard index == bytes.count || bytes[index] <= 0x20 else { return nil }
    return index
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private init(at start: Int, in bytes: [UInt8], _ lines: SourceLines, before next: IgnoreComment?)
  {
    var index = bytes.withUnsafeBufferPointer { Self.keywordEnd(in: $0, at: start) } ?? start
    var end = index
    var names: [YAMLName] = []
    // Text after the last name without a comma is the reason, in the author's words.
    while true {
      while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
      let nameEnd = bytes[index...].firstIndex { !WorkflowName.isPart($0) } ?? bytes.count
      guard nameEnd > index else { break }
      names.append(
        YAMLName(
          text: String(decoding: bytes[index..<nameEnd], as: UTF8.self),
          location: lines.location(ofBytes: index..<nameEnd)))
      end = nameEnd
      index = nameEnd
      while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
      guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { break }
      index += 1
    }
    self.names = names
    location = lines.location(ofBytes: start..<end)
    let before = lines.line(location.line)?.unicodeScalars.prefix(location.column - 1)
    let isAlone = before?.allSatisfy { $0 == " " || $0 == "\t" } ?? false
    line = isAlone ? Self.lineBelow(location.line, lines, before: next) : location.line
  }

  /// The next line that is neither empty nor a comment; an ignore comment on the way has the same.
  private static func lineBelow(
    _ line: Int, _ lines: SourceLines, before next: IgnoreComment?
  ) -> Int {
    var below = line + 1
    while let text = lines.line(below) {
      if let next, next.location.line == below { return next.line }
      let first = text.utf8.first { !isBlank($0) }
      if let first, first != UInt8(ascii: "#") { break }
      below += 1
    }
    return below
  }
}
