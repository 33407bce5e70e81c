/// The words of a source file's code: no comments, no text in quotes.
struct SourceWords: Sendable {
  /// The words in order; whatever is between two words but blanks is an empty one.
  let words: [String]

  init(_ file: SourceTree.File) {
    var words: [String] = []
    var isInText = false
    for line in file.lines {
      var line = line[...]
      if isInText {
        guard let end = line.range(ofText: "\"\"\"") else { continue }
        isInText = false
        line = line[end.upperBound...]
      }
      while let character = line.first {
        if character.isLetter || character == "_" {
          let word = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          words.append(String(word))
          line = line.dropFirst(word.count)
        } else if line.hasPrefix("//") {
          line = ""
        } else if line.hasPrefix("\"\"\"") {
          line = line.dropFirst(3)
          guard let end = line.range(ofText: "\"\"\"") else {
            isInText = true
            break
          }
          line = line[end.upperBound...]
        } else if character == "\"" {
          line = line.dropFirst().afterText
          words.append("")
        } else {
          if character != " " { words.append("") }
          line = line.dropFirst()
        }
      }
    }
    self.words = words
  }

  /// The names of the types that are declared, at any depth.
  var types: Set<String> {
    declared(after: ["struct", "class", "enum", "protocol", "actor", "typealias"]) {
      $0.first?.isUppercase == true
    }
  }

  /// The names of members that are long enough to be those of one thing.
  var members: Set<String> {
    declared(after: ["func", "var", "let", "case"]) {
      $0.count > 5 && $0.first?.isLowercase == true
    }
  }

  private func declared(after keywords: Set<String>, _ isName: (String) -> Bool) -> Set<String> {
    var names: Set<String> = []
    for (keyword, name) in zip(words, words.dropFirst())
    where keywords.contains(keyword) && isName(name) { names.insert(name) }
    return names
  }
}

extension Substring {
  /// What is after a text in quotes whose first quote is not part of it.
  fileprivate var afterText: Substring {
    var rest = self
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\" { rest = rest.dropFirst() }
    }
    return rest
  }

  /// Where a short text is.
  fileprivate func range(ofText text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
