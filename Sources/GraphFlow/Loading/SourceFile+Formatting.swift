extension SourceFile {
  /// The keys of a request in the order in which they are written.
  private static let keyOrder =
    [
      "description", "for_each", "key", "max_failures", "as",
    ] + RequestReader.keys.filter { !["description", "requests"].contains($0) } + ["requests"]

  /// The bytes of the file in the canonical form; nil for a file that is not YAML, or that the
  /// formatter cannot write without changing its meaning or its comments.
  ///
  /// - Parameter isWorkflow: Whether the keys of requests have an order.
  /// - Returns: The formatted bytes, which mean the same.
  package func formatted(isWorkflow: Bool) -> [UInt8]? {
    let (before, diagnostics) = YAMLNode.reading(self)
    guard let before, isWhole, !diagnostics.contains(where: { $0.severity == .error }) else {
      return nil
    }
    let mark = Self.markLength(of: bytes)
    let text = String(decoding: bytes[mark...], as: UTF8.self).replacing("\r\n", with: "\n")
    guard let document = try? WrittenYAML(text) else { return nil }
    // An anchor may have to stay above its alias: then the order is kept.
    for order in isWorkflow ? [Self.keyOrder, []] : [[]] {
      let result = FormattedYAML.text(of: document, order: order)
      let file = SourceFile(path: path, bytes: Array(result.utf8))
      let (after, problems) = YAMLNode.reading(file)
      guard let after, !problems.contains(where: { $0.severity == .error }),
        after.isSame(as: before), Self.comments(in: result) == Self.comments(in: text)
      else { continue }
      return file.bytes
    }
    return nil
  }

  /// What may be a comment: the words after each `#`, whatever their order.
  private static func comments(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      line.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(line[$0...]).trimmedRight }
    }.sorted()
  }
}
