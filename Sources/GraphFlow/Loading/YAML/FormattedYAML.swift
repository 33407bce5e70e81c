/// Writes a document in the canonical form (docs/reference/formatting.md).
struct FormattedYAML {
  private let order: [String]
  private var lines: [String] = []

  /// - Parameter order: The order of the keys of a request; empty to keep that of the file.
  init(order: [String]) { self.order = order }

  /// The text of a document, which ends with a line break.
  static func text(of document: WrittenYAML, order: [String]) -> String {
    let writer = FormattedYAML(order: order)
    var lines = document.heading
    lines += writer.leading(document.root.leading, at: 0, isFirst: document.heading.isEmpty)
    lines += writer.lines(of: document.root.value, at: 0, place: .top, parentColumn: 0)
    var ending = document.ending
    while ending.last == .some(nil) { ending.removeLast() }
    lines += writer.leading(ending, at: 0, isFirst: false)
    return lines.map { $0 + "\n" }.joined()
  }

  /// What a map is, which decides the order of its keys and the lines between its members.
  private enum Place {
    case top
    /// The map of all requests, or of those of a group.
    case requests
    case request
    case other

    func inside(_ key: String) -> Place {
      switch self {
      case .top, .request: key == "requests" ? .requests : .other
      case .requests: .request
      case .other: .other
      }
    }
  }

  private func leading(_ comments: [String?], at indent: Int, isFirst: Bool) -> [String] {
    var lines = comments.map { $0.map { String(repeating: " ", count: indent) + $0 } ?? "" }
    if isFirst { while lines.first == "" { lines.removeFirst() } }
    return lines
  }

  /// The lines of a value; the first line of a text is the one that follows a key or a dash.
  private func lines(
    of node: WrittenYAML.Node, at indent: Int, place: Place, parentColumn: Int
  ) -> [String] {
    let space = String(repeating: " ", count: indent)
    switch node.content {
    case .text:
      var lines = text(of: node).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      // What is on further lines moves with the key.
      for line in lines.indices.dropFirst() where !lines[line].isEmpty {
        let blanks = lines[line].prefix { $0 == " " }.count
        let moved = max(0, blanks + indent - 2 - parentColumn)
        lines[line] = String(repeating: " ", count: moved) + lines[line].dropFirst(blanks)
      }
      lines[lines.count - 1] += node.comment
      return lines
    case .mapping(let entries):
      let ordered = place == .request ? sorted(entries) : spaced(entries, in: place)
      return ordered.enumerated().flatMap { index, entry -> [String] in
        let key = entry.key.map { text(of: $0) } ?? ""
        let value = entry.value
        let start = leading(entry.leading, at: indent, isFirst: index == 0)
        let own = lines(
          of: value, at: indent + 2, place: place.inside(unquoted(key)),
          parentColumn: entry.key?.column ?? 0)
        guard case .text = value.content else {
          let properties = value.text.isEmpty ? "" : " " + value.text
          return start + [space + key + ":" + properties + entry.comment + value.comment] + own
        }
        let gap = own[0].isEmpty || own[0].hasPrefix(" ") ? "" : " "
        let last = own.count == 1 ? entry.comment : ""
        return start + [space + key + ":" + gap + own[0] + last] + own.dropFirst()
      } + leading(node.closing, at: indent, isFirst: false)
    case .sequence(let entries):
      return entries.enumerated().flatMap { index, entry -> [String] in
        let start = leading(entry.leading, at: indent, isFirst: index == 0)
        let own = lines(
          of: entry.value, at: indent + 2, place: .other,
          parentColumn: max(0, entry.value.column - 2))
        if case .text = entry.value.content {
          let gap = own[0].isEmpty || own[0].hasPrefix(" ") ? "" : " "
          let last = own.count == 1 ? entry.comment : ""
          return start + [space + "-" + gap + own[0] + last] + own.dropFirst()
        }
        let properties = entry.value.text.isEmpty ? "" : " " + entry.value.text
        let head = properties + entry.comment + entry.value.comment
        guard head.isEmpty, let first = own.first, !first.dropFirst(indent).trimmed.hasPrefix("#")
        else { return start + [space + "-" + head] + own }
        return start + [space + "- " + first.dropFirst(indent + 2)] + own.dropFirst()
      } + leading(node.closing, at: indent, isFirst: false)
    }
  }

  /// The entries of a request, in the order of the documentation; unknown keys come last.
  private func sorted(_ entries: [WrittenYAML.Entry]) -> [WrittenYAML.Entry] {
    guard !order.isEmpty else { return entries }
    let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    let keyed = entries.enumerated().map {
      index, entry -> (rank: (Int, Int), entry: WrittenYAML.Entry) in
      let key = unquoted(entry.key?.text ?? "")
      return ((key == "<<" ? -1 : places[key] ?? order.count, index), entry)
    }
    return keyed.sorted { $0.rank < $1.rank }.map(\.entry)
  }

  /// The members of a map; between requests there is an empty line everywhere or nowhere.
  private func spaced(_ entries: [WrittenYAML.Entry], in place: Place) -> [WrittenYAML.Entry] {
    guard place == .requests,
      entries.dropFirst().contains(where: { $0.leading.first == .some(nil) })
    else { return entries }
    return entries.enumerated().map { index, entry in
      guard index > 0, entry.leading.first != .some(nil) else { return entry }
      var entry = entry
      entry.leading.insert(nil, at: 0)
      return entry
    }
  }

  // MARK: - Quotes

  /// The text of a scalar, without quotes that mean nothing.
  private func text(of node: WrittenYAML.Node) -> String {
    guard node.style == .singleQuoted || node.style == .doubleQuoted, !node.hasProperties else {
      return node.text
    }
    let plain = unquoted(node.text)
    return Self.isPlain(plain) ? plain : node.text
  }

  private func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("\"") || text.hasPrefix("'") else { return text }
    return String(text.dropFirst().dropLast())
  }

  /// Whether a text means the same with and without quotes, for all readers of YAML.
  private static func isPlain(_ text: String) -> Bool {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    guard let first = text.utf8.first, WorkflowName.isPart(first), !(48...57).contains(first),
      first != UInt8(ascii: "-"), !words.contains(text.lowercased())
    else { return false }
    var last: UInt8 = 0
    for byte in text.utf8 {
      let isKnown = WorkflowName.isPart(byte) || "./,".utf8.contains(byte)
      guard isKnown || byte == UInt8(ascii: " ") && last != byte else { return false }
      last = byte
    }
    return last != UInt8(ascii: " ")
  }
}
