/// Puts a workflow file and the files that it includes together to one document
/// (docs/reference/language.md, "Included files").
struct IncludedFiles: YAMLReading {
  /// How many levels of a key's map are put together by their keys; other values are taken whole.
  private static let depths = ["requests": 1, "inputs": 1, "outputs": 1, "defaults": 2]
  /// The lists that are appended to each other.
  private static let lists = ["permissions", "errors"]
  /// What is about a file itself, and is not taken from an included one.
  private static let ownKeys = [
    "graphflow", "include", "name", "description", "schedule", "overlap_key",
  ]

  let findings: Findings
  private let source: SourceFile
  /// The documents of the parts that are complete.
  private var documents: [Int: [YAMLNode.Entry]] = [:]

  /// Reads the document of a workflow file with all that it includes; its locations are those of all
  /// parts.
  static func composing(_ source: SourceFile) -> (node: YAMLNode?, findings: Findings) {
    let (root, findings) = YAMLNode.composing(source.file(of: 0))
    guard let root, let entries = root.entries, entries.value(of: "include") != nil else {
      return (root, findings)
    }
    var files = IncludedFiles(findings: findings, source: source)
    let document = files.document(of: entries, part: 0, chain: [0])
    return (YAMLNode(content: .mapping(document), location: root.location), findings)
  }

  private init(findings: Findings, source: SourceFile) {
    (self.findings, self.source) = (findings, source)
  }

  /// Whether a file without requests is there to be included: nothing else is wrong with it.
  static func isFragment(_ source: SourceFile, _ diagnostics: [Diagnostic]) -> Bool {
    let errors = diagnostics.filter { $0.severity == .error }
    guard errors.count == 1, errors[0].rule == RuleID.missingKey.rawValue,
      errors[0].message == "a workflow file needs 'requests'"
    else { return false }
    let shared = Set(WorkflowReader.keys).subtracting(ownKeys)
    return composing(source).node?.entries?.contains { shared.contains($0.key) } == true
  }

  // MARK: - Files

  private mutating func document(
    of entries: [YAMLNode.Entry], part: Int, chain: [Int]
  ) -> [YAMLNode.Entry] {
    guard let list = entries.value(of: "include") else { return entries }
    var others: [[YAMLNode.Entry]] = []
    for element in elements(of: list, "'include'", hint: "write [shared.yaml]") ?? [] {
      guard let path = filledText(element, "an entry of 'include'") else { continue }
      if FileOutside.leavesFolder(path) {
        report(
          .fileOutside, "this path leaves the folder of the file", at: element.location,
          hint: "a file includes only files in its own folder or below")
        continue
      }
      let included = source.included.indices.contains(part) ? source.included[part][path] : nil
      switch included {
      case nil:
        report(.missingFile, "'\(path.short)' was not read", at: element.location)
      case .unusable(let presence):
        if let fault = FileOutside.fault(of: path, presence) { report(fault, at: element.location) }
      case .part(let other) where chain.contains(other):
        let start = chain.firstIndex(of: other) ?? 0
        let names = (chain[start...] + [other]).map { source.parts[$0].path }
        report(
          .dependencyCycle, "files include each other: " + names.joined(separator: " → "),
          at: element.location, hint: "remove one of these includes")
      case .part(let other):
        if let document = document(ofPart: other, chain: chain + [other]) {
          others.append(document.filter { !Self.ownKeys.contains($0.key) })
        }
      }
    }
    return combined(entries, others, depth: nil)
  }

  /// The document of an included file; nil if it cannot be used, which has been reported.
  private mutating func document(ofPart part: Int, chain: [Int]) -> [YAMLNode.Entry]? {
    if let known = documents[part] { return known }
    let (root, own) = YAMLNode.composing(source.file(of: part))
    for diagnostic in own.diagnostics { findings.add(diagnostic) }
    guard let root else { return nil }
    let moved = root.moved(by: source.parts[part].linesBefore)
    guard let entries = moved.entries, entries.value(of: "graphflow")?.scalar?.text == "1" else {
      report(
        .missingKey, "an included file needs 'graphflow: 1'", at: moved.location,
        hint: "start the file with the line graphflow: 1")
      return nil
    }
    let document = document(of: entries, part: part, chain: chain)
    documents[part] = document
    return document
  }

  // MARK: - Values

  /// The members of a map over those of included files.
  ///
  /// - Parameters:
  ///   - own: The members that win.
  ///   - others: Those of the included files, in their order.
  ///   - depth: How many levels of values are put together; nil at the top of a file.
  /// - Returns: The members of the included files, then the others.
  private func combined(
    _ own: [YAMLNode.Entry], _ others: [[YAMLNode.Entry]], depth: Int?
  ) -> [YAMLNode.Entry] {
    var values: [String: [YAMLNode.Entry]] = [:]
    var order: [String] = []
    for entry in others.joined() {
      if values[entry.key] == nil { order.append(entry.key) }
      values[entry.key, default: []].append(entry)
    }
    let owned = Dictionary(own.map { ($0.key, $0) }) { first, _ in first }
    let shared = order.map { combined(owned[$0], values[$0] ?? [], depth: depth) }
    return shared + own.filter { values[$0.key] == nil }
  }

  private func combined(
    _ own: YAMLNode.Entry?, _ others: [YAMLNode.Entry], depth: Int?
  ) -> YAMLNode.Entry {
    let all = [own].compactMap(\.self) + others
    var entry = all[0]
    let inner = depth ?? Self.depths[entry.key] ?? 0
    if inner > 0 {
      // The reader reports a value that is no map.
      if let wrong = all.first(where: { $0.value.entries == nil }) { return wrong }
      let members = combined(
        own?.value.entries ?? [], others.compactMap(\.value.entries), depth: inner - 1)
      entry.value.content = .mapping(members)
    } else if depth == nil, Self.lists.contains(entry.key) {
      if let wrong = all.first(where: { $0.value.elements == nil }) { return wrong }
      var seen: Set<SourceLocation> = []
      let elements = all.flatMap { $0.value.elements ?? [] }
      entry.value.content = .sequence(elements.filter { seen.insert($0.location).inserted })
    } else if own == nil {
      for other in others.dropFirst() where !other.value.isSame(as: entry.value) {
        let place = source.parts.place(of: entry.keyLocation)
        report(
          .duplicateKey,
          "'\(entry.key.short)' differs from the one in \(place.path ?? source.path):"
            + "\(place.location)",
          at: other.keyLocation, hint: "define it in the file that includes both, which wins")
      }
    }
    return entry
  }
}
