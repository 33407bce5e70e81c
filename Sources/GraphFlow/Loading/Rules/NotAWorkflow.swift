/// Files that are something else: one plain sentence instead of all that is wrong with them as
/// workflows.
enum NotAWorkflow {
  /// The one thing to say about a file that is no workflow at all.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - root: What it holds; nil if it is no YAML.
  /// - Returns: A diagnostic; nil if the file may be a workflow.
  static func diagnostic(for source: SourceFile, root: YAMLNode?) -> Diagnostic? {
    guard let kind = kind(of: source, root) else { return nil }
    let start = root?.location ?? .start
    return Diagnostic(
      rule: RuleID.notAWorkflow.rawValue,
      message: "this is \(kind), not a workflow of GraphFlow",
      file: source.path,
      // The first character of what is there.
      location: SourceLocation(
        line: start.line,
        column: start.column,
        endColumn: start.column + (root == nil ? 0 : 1)
      ),
      hint: "a workflow begins with the line graphflow: 1; `graphflow init` writes a first one"
    )
  }

  private static func kind(of source: SourceFile, _ root: YAMLNode?) -> String? {
    guard let root else { return hasWorkflowLine(source) ? nil : kind(ofText: source) }
    switch root.content {
    case .invalid: return nil
    case .scalar:
      return root.isNull || hasWorkflowLine(source) ? nil : kind(ofText: source)
    case .sequence(let elements):
      let isBatch = elements.first?.member("relative_url") != nil
      return isBatch ? "the list of a batch" : "a list"
    case .mapping(let entries):
      return kind(of: entries)
    }
  }

  /// What a map without any key of a workflow is.
  private static func kind(of entries: [YAMLNode.Entry]) -> String? {
    func has(_ key: String) -> Bool { entries.contains { $0.key == key } }
    guard !entries.isEmpty, !entries.contains(where: { isWorkflowKey($0.key) }) else { return nil }
    if let error = entries.first(where: { $0.key == "error" })?.value,
      error.member("message") != nil
    {
      return "an error that the Graph API answered"
    }
    if has("data"), has("paging") || entries.count == 1 { return "an answer of the Graph API" }
    if has("jobs"), has("on") || has("true") { return "a GitHub Actions workflow" }
    if has("openapi") || has("swagger") { return "a description of an API" }
    if has("services") { return "a Docker Compose file" }
    if has("repos") { return "a configuration of pre-commit" }
    // A file of a first author who remembers other words gets its messages one by one.
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

  /// What a text is that is no YAML, or only one text to YAML.
  private static func kind(ofText source: SourceFile) -> String? {
    let bytes = source.bytes
    let magic: [[UInt8]] = [
      [0x89, 0x50, 0x4e, 0x47], [0x50, 0x4b, 3, 4], [0x25, 0x50, 0x44, 0x46],
      [0x47, 0x49, 0x46, 0x38], [0xff, 0xd8, 0xff], [0x1f, 0x8b], [0x7f, 0x45, 0x4c, 0x46],
    ]
    if magic.contains(where: bytes.starts) { return "a picture, an archive or a program" }
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
    return isMarkdown ? "a Markdown text" : "a text"
  }

  /// What stands behind so many lines does not make a workflow of a file; there may be millions.
  private static let maximumLines = 10_000

  /// Whether a line begins as those of workflows do.
  private static func hasWorkflowLine(_ source: SourceFile) -> Bool {
    source.bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for _ in 0..<maximumLines where start < bytes.count {
        let line = bytes[start...].prefix(200)
        // Odd spaces are bytes of 0x80 and more.
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
