import GraphAPI

extension GraphError {
  /// The permissions that a permission error names as missing.
  ///
  /// Read from Graph's message, such as `Requires extended permission: publish_video` or
  /// `requires the 'pages_read_engagement' permission or the … feature`. If the message lists
  /// alternatives, all of them are missing. If it requires several together, it does not show which
  /// one is missing, so the result is empty.
  var deniedPermissions: [String] {
    let text = message.lowercased()
    let parts = text.split(separator: "requires", omittingEmptySubsequences: false)
    guard parts.count == 2, let tail = parts.last, tail.contains("permission") else { return [] }
    let sentence = tail.prefix(while: { $0 != "\n" }).split(separator: ". ").first ?? tail
    let words = sentence.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    guard !words.contains("and"), !words.contains("both") else { return [] }
    var names: [String] = []
    for (index, word) in words.enumerated() {
      let isNamed = index > 0 && words[index - 1] == "permission" && sentence.contains(": \(word)")
      guard isNamed || word.contains("_"), word.first?.isLetter == true else { continue }
      if !names.contains(String(word)) { names.append(String(word)) }
    }
    return names
  }
}
