/// Lines with a wrong indentation.
extension SyntaxErrorContext {
  /// A column in which a line above begins.
  struct Level {
    let indent: Int
    let name: String
    let line: Int
    let isDash: Bool
  }

  /// Explains tabs, or characters that look like spaces, at the beginning of the line.
  func invalidIndentation() -> Explanation? {
    guard let line = line(place.line) else { return nil }
    let blank = line.scalars.prefix { $0 == " " || $0 == "\t" || ConfusableCharacter($0) != nil }
    if let index = blank.firstIndex(of: "\t"), place.column <= blank.count + 1 {
      return line.explanation(
        "tabs cannot be used for indentation", at: index..<index + 1,
        hint: "use spaces: two for each level")
    }
    guard let index = blank.firstIndex(where: { ConfusableCharacter($0) != nil }),
      let confusable = ConfusableCharacter(blank[index])
    else { return nil }
    return line.explanation(
      "the indentation contains \(confusable.name)", at: index..<index + 1,
      hint: confusable.isInvisible ? "remove it" : "replace it with spaces")
  }

  /// Explains a line whose column matches no line above, or lines of another kind.
  func misplacedLine() -> Explanation? {
    guard let line = line(place.line), place.column == line.indent + 1 else { return nil }
    let levels = levels(above: line)
    let content = line.content
    let key = content.key(from: line.indent)
    let isDash = content.dash == line.indent
    if let level = levels.first(where: { $0.indent == line.indent }) {
      switch (level.isDash, isDash) {
      case (true, false):
        let owner = levels.first {
          !$0.isDash && $0.indent <= level.indent && $0.line < level.line
        }
        return line.explanation(
          "a list entry begins with '-', but this line does not", at: key,
          hint: owner.map {
            "begin it with '- ', or indent it by \(spaces($0.indent)) like '\($0.name)'"
          } ?? "begin it with '- '")
      case (false, true):
        return line.explanation(
          "a list entry cannot appear among keys", at: line.indent..<line.indent + 1,
          hint: "indent it by two more spaces than its key")
      default: return nil
      }
    }
    let inner = levels.last { $0.indent > line.indent }
    let outer = levels.first { $0.indent < line.indent }
    var fixes: [String] = []
    for level in [inner, outer].compactMap(\.self) {
      let other = level.isDash ? "the '-' on line \(level.line)" : "'\(level.name)'"
      fixes.append(
        fixes.isEmpty
          ? "indent it by \(spaces(level.indent)) to match \(other)"
          : "by \(level.indent) to match \(other)")
    }
    guard !fixes.isEmpty else { return nil }
    return line.explanation(
      "this line is indented by \(spaces(line.indent)), which matches no line above", at: key,
      hint: fixes.joined(separator: ", or "))
  }

  /// The columns in which the lines above begin, from the innermost to the outermost.
  private func levels(above line: Line) -> [Level] {
    var levels: [Level] = []
    var lowest = Int.max
    var number = line.number
    while lowest > 0, let above = self.line(above: number) {
      number = above.number
      // A deeper line is only a sibling if no shallower line is in between.
      guard above.indent < lowest else { continue }
      let (content, name) = (above.content, above.name)
      if content.dash != nil, content.start < lowest, content.colon != nil {
        levels.append(Level(indent: content.start, name: name, line: number, isDash: false))
      }
      lowest = above.indent
      levels.append(Level(indent: lowest, name: name, line: number, isDash: content.dash != nil))
    }
    return levels
  }

  func indentedBeginning() -> Explanation? {
    guard let line = line(place.line), place.column == line.indent + 1 else { return nil }
    var first = line
    while let above = self.line(above: first.number) { first = above }
    guard first.indent > line.indent, first.number < line.number else { return nil }
    return line.explanation(
      "'\(line.name)' is indented less than '\(first.name)' on line \(first.number)",
      at: line.indent..<line.content.end,
      hint: "begin both in the same column")
  }
}
