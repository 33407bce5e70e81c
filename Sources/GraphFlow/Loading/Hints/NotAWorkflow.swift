/// A file that is not meant as a workflow: one message replaces all that other rules would report.
enum NotAWorkflow {
  /// The only diagnostic of a file, whose root is nil if it is not YAML; nil if it may be a workflow.
  static func diagnostic(for source: SourceFile, root: YAMLNode?) -> Diagnostic? {
    guard let kind = kind(of: source, root) else { return nil }
    let start = root?.location ?? .start
    return Diagnostic(
      rule: RuleID.notAWorkflow.rawValue, message: "this is \(kind), not a GraphFlow workflow",
      file: source.path,
      // The first character of the content.
      location: SourceLocation(
        line: start.line, column: start.column, endColumn: start.column + (root == nil ? 0 : 1)),
      hint: "a workflow begins with the line graphflow: 1; `graphflow init` creates one")
  }

  private static func kind(of source: SourceFile, _ root: YAMLNode?) -> String? {
    guard let root else { return hasWorkflowLine(source) ? nil : kind(ofText: source) }
    switch root.content {
    case .invalid: return nil
    case .scalar: return root.isNull || hasWorkflowLine(source) ? nil : kind(ofText: source)
    case .sequence(let elements):
      let isBatch = elements.first?.member("relative_url") != nil
      return isBatch ? "a list of batch operations" : "a list"
    case .mapping(let entries): return kind(of: entries)
    }
  }

  private static func kind(of entries: [YAMLNode.Entry]) -> String? {
    func has(_ key: String) -> Bool { entries.contains { $0.key == key } }
    guard !entries.isEmpty, !entries.contains(where: { isWorkflowKey($0.key) }) else { return nil }
    if let error = entries.first(where: { $0.key == "error" })?.value,
      error.member("message") != nil
    {
      return "an error response of the Graph API"
    }
    if has("data"), has("paging") || entries.count == 1 { return "a response of the Graph API" }
    if has("jobs"), has("on") || has("true") { return "a GitHub Actions workflow" }
    if has("openapi") || has("swagger") { return "an API description" }
    if has("services") { return "a Docker Compose file" }
    if has("repos") { return "a pre-commit configuration" }
    // A first workflow may use the keys of another tool; each of them has a message of its own.
    let words = Set(OtherToolKey.words.first { $0.key == "requests" }?.words ?? [])
    return entries.contains { words.contains($0.key) } ? nil : "another kind of file"
  }

  private static func isWorkflowKey(_ key: String) -> Bool {
    let lowered = key.lowercased()
    return ["graphflow", "requests"].contains { keyword in
      lowered == keyword
        || NearestName.to(ConfusableCharacter.plain(lowered), among: [keyword]) != nil
    }
  }

  /// The kind of a file that is not YAML, or that YAML reads as one text.
  private static func kind(ofText source: SourceFile) -> String? {
    let bytes = source.bytes
    let magic: [[UInt8]] = [
      [0x89, 0x50, 0x4e, 0x47], [0x50, 0x4b, 3, 4], [0x25, 0x50, 0x44, 0x46],
      [0x47, 0x49, 0x46, 0x38], [0xff, 0xd8, 0xff], [0x1f, 0x8b], [0x7f, 0x45, 0x4c, 0x46],
    ]
    if magic.contains(where: bytes.starts) { return "an image, an archive or a program" }
    // A file in another encoding has its own message.
    let isForeign = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
    if isForeign || bytes.prefix(64).contains(0) { return nil }
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    // An empty file has its own message.
    guard let first = lines.first(where: { !$0.hasPrefix("#") || $0.hasPrefix("#!") }) else {
      return nil
    }
    if first.hasPrefix("#!") { return "a script" }
    if first.hasPrefix("<") { return "a web page" }
    if first.hasPrefix("{") || first.hasPrefix("[") { return nil }
    let isMarkdown =
      source.path.lowercased().hasSuffix(".md")
      || lines.contains { $0.hasPrefix("```") || $0.hasPrefix("## ") || $0.hasPrefix("](") }
    return isMarkdown ? "a Markdown file" : "plain text"
  }

  /// How many lines are searched; a file may have millions.
  private static let maximumLines = 10_000

  private static func hasWorkflowLine(_ source: SourceFile) -> Bool {
    source.bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for _ in 0..<maximumLines where start < bytes.count {
        let line = bytes[start...].prefix(200)
        // Confusable spaces consist of bytes of 0x80 and more.
        let first = line.drop { $0 == 0x20 || $0 == 9 || $0 >= 0x80 || "{\"'".utf8.contains($0) }
        let word = first.prefix(while: WorkflowName.isPart)
        let next = first.dropFirst(word.count).first ?? 0x0a
        if word.count <= 12, next <= 0x20 || next >= 0x80 || ":\"'".utf8.contains(next),
          isWorkflowKey(String(decoding: word, as: UTF8.self))
        {
          return true
        }
        guard let end = bytes[start...].firstIndex(of: 0x0a) else { return false }
        start = end + 1
      }
      return false
    }
  }
}
