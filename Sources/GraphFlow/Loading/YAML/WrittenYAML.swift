internal import CLibYAML

/// A YAML document as it is written: block collections with their comments, and the texts of
/// everything else.
struct WrittenYAML {
  /// A value, or a key.
  struct Node {
    enum Content {
      /// A scalar, an alias or a flow collection, with its anchor and tag.
      case text
      case mapping([Entry])
      case sequence([Entry])
    }

    var content = Content.text
    /// The text; of a block collection only its anchor and tag.
    var text: String
    var style = YAMLNode.Style.plain
    var hasProperties = false
    /// The column of the first character, from 0.
    var column: Int
    /// The comment on the line on which the text ends, with the white space before it.
    var comment = ""
    /// Comments at the end of a block collection.
    var closing: [String?] = []
  }

  /// A member of a block map, or an element of a block list, which has no key.
  struct Entry {
    /// The comments above; nil for an empty line.
    var leading: [String?]
    var key: Node?
    var value: Node
    /// The comment on the line of the key or the dash, if the value follows below.
    var comment = ""
  }

  /// What the formatter leaves as it is.
  struct Unsupported: Error {}

  /// What precedes the root, up to the line `---`; empty without it.
  private(set) var heading: [String] = []
  private(set) var root: Entry
  /// The comments at the end.
  private(set) var ending: [String?] = []

  /// Reads a text without errors, whose lines end in LF.
  init(_ text: String) throws(Unsupported) {
    var reader = try WrittenYAMLReader(text)
    heading = reader.heading
    root = try reader.document()
    ending = reader.rest()
  }
}

/// Reads the written form, with libyaml's events and the lines between them.
private struct WrittenYAMLReader {
  private struct Event {
    let type: yaml_event_type_t
    let start: Int
    let end: Int
    let isBlock: Bool
    let hasProperties: Bool
    let style: YAMLNode.Style
  }

  private let text: [Unicode.Scalar]
  private let events: [Event]
  private var next = 0
  /// The index of each line's first character.
  private let lines: [Int]
  /// The column of the comment of each line that has one.
  private let comments: [Int: Int]
  /// The last line that was used.
  private var cursor = -1
  private(set) var heading: [String] = []

  init(_ text: String) throws(WrittenYAML.Unsupported) {
    let characters = Array(text.unicodeScalars)
    self.text = characters
    lines = [0] + characters.indices.filter { characters[$0] == "\n" }.map { $0 + 1 }
    guard let events = Self.events(of: text) else { throw WrittenYAML.Unsupported() }
    self.events = events.filter { $0.type != YAML_STREAM_START_EVENT }
    comments = Self.comments(in: characters, lines, events)
    guard let start = self.events.first, start.type == YAML_DOCUMENT_START_EVENT else {
      throw WrittenYAML.Unsupported()
    }
    next = 1
    if start.end > start.start {
      cursor = line(of: start.end - 1)
      guard line(of: self.events[1].start) > cursor else { throw WrittenYAML.Unsupported() }
      heading = (0...cursor).map { content(of: $0).trimmedRight }
    }
  }

  private static func events(of text: String) -> [Event]? {
    Array(text.utf8).withUnsafeBufferPointer { bytes -> [Event]? in
      guard var stream = YAMLEvents(bytes) else { return nil }
      var events: [Event] = []
      while stream.next() {
        let event = stream.event.pointee
        var (isBlock, hasProperties, style) = (false, false, YAMLNode.Style.plain)
        switch event.type {
        case YAML_STREAM_END_EVENT: return events
        case YAML_MAPPING_START_EVENT:
          let start = event.data.mapping_start
          isBlock = start.style == YAML_BLOCK_MAPPING_STYLE
          hasProperties = start.anchor != nil || start.tag != nil
        case YAML_SEQUENCE_START_EVENT:
          let start = event.data.sequence_start
          isBlock = start.style == YAML_BLOCK_SEQUENCE_STYLE
          hasProperties = start.anchor != nil || start.tag != nil
        case YAML_SCALAR_EVENT:
          let scalar = event.data.scalar
          hasProperties = scalar.anchor != nil || scalar.tag != nil
          style =
            switch scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        default: break
        }
        events.append(
          Event(
            type: event.type, start: Int(event.start_mark.index), end: Int(event.end_mark.index),
            isBlock: isBlock, hasProperties: hasProperties, style: style))
      }
      return nil
    }
  }

  /// The columns of comments, by line: a `#` after white space that is in no scalar.
  private static func comments(
    in text: [Unicode.Scalar], _ lines: [Int], _ events: [Event]
  ) -> [Int: Int] {
    let scalars = events.filter { $0.type == YAML_SCALAR_EVENT && $0.end > $0.start }
    var found: [Int: Int] = [:]
    var scalar = 0
    for (line, start) in lines.enumerated() {
      let end = line + 1 < lines.count ? lines[line + 1] - 1 : text.count
      for index in start..<max(start, end) where text[index] == "#" {
        while scalar < scalars.count, scalars[scalar].end <= index { scalar += 1 }
        if scalar < scalars.count, scalars[scalar].start <= index { continue }
        guard index == start || text[index - 1] == " " || text[index - 1] == "\t" else { continue }
        found[line] = index - start
        break
      }
    }
    return found
  }

  // MARK: - Lines

  private func line(of index: Int) -> Int {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] > index { high = middle } else { low = middle }
    }
    return low
  }

  private func column(of index: Int) -> Int { index - lines[line(of: index)] }

  private func content(of line: Int) -> String {
    let end = line + 1 < lines.count ? lines[line + 1] - 1 : text.count
    return string(lines[line]..<max(lines[line], end))
  }

  private func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text[range])
    return String(view)
  }

  /// The comment of a line that has something else before it, with the white space between.
  private func comment(after end: Int) -> String {
    let line = line(of: end)
    guard let column = comments[line], lines[line] + column >= end else { return "" }
    let stop = line + 1 < lines.count ? lines[line + 1] - 1 : text.count
    return string(end..<stop).trimmedRight
  }

  /// The comments and empty lines before a line; several empty lines are one.
  private mutating func lines(
    before line: Int, while isOwn: (Int) -> Bool = { _ in true }
  )
    -> [String?]
  {
    var found: [String?] = []
    var used = cursor
    var number = cursor + 1
    while number < line {
      let content = content(of: number)
      if content.allSatisfy(\.isWhitespace) {
        if found.last != .some(nil) { found.append(nil) }
      } else {
        guard let column = comments[number], isOwn(column) else { break }
        found.append(content.trimmed)
        used = number
      }
      number += 1
    }
    cursor = max(cursor, used)
    return found
  }

  mutating func rest() -> [String?] {
    let last = events.last { $0.type == YAML_DOCUMENT_END_EVENT }
    return lines(before: last.map { $0.end > $0.start ? line(of: $0.start) : lines.count } ?? 0)
  }

  // MARK: - Nodes

  mutating func document() throws(WrittenYAML.Unsupported) -> WrittenYAML.Entry {
    let leading = lines(before: line(of: events[next].start))
    return WrittenYAML.Entry(leading: leading, key: nil, value: try node())
  }

  private mutating func node() throws(WrittenYAML.Unsupported) -> WrittenYAML.Node {
    let event = events[next]
    guard event.isBlock else { return textNode() }
    next += 1
    var node = WrittenYAML.Node(
      text: "", hasProperties: event.hasProperties, column: column(of: event.start))
    if event.hasProperties {
      let first = line(of: event.start)
      let stop =
        comments[first].map { lines[first] + $0 } ?? lines[first] + content(of: first).count
      node.text = string(event.start..<max(event.start, stop)).trimmedRight
      node.comment = comment(after: event.start + node.text.unicodeScalars.count)
      cursor = max(cursor, first)
    }
    let isMapping = event.type == YAML_MAPPING_START_EVENT
    let end = isMapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT
    var entries: [WrittenYAML.Entry] = []
    while events[next].type != end {
      entries.append(isMapping ? try member() : try element())
    }
    let column = entries.first?.key?.column ?? node.column
    node.column = column
    let stop = events[next].start < text.count ? line(of: events[next].start) : lines.count
    node.closing = closing(before: stop) { $0 >= column }
    next += 1
    node.content = isMapping ? .mapping(entries) : .sequence(entries)
    return node
  }

  /// The comments that end a collection; empty lines after them belong to what follows.
  private mutating func closing(before line: Int, _ isOwn: (Int) -> Bool) -> [String?] {
    var found = lines(before: line, while: isOwn)
    while found.last == .some(nil) { found.removeLast() }
    return found
  }

  private mutating func member() throws(WrittenYAML.Unsupported) -> WrittenYAML.Entry {
    let start = events[next].start
    let leading = lines(before: line(of: start))
    guard !events[next].isBlock else { throw WrittenYAML.Unsupported() }
    let key = textNode()
    // A key with `?`, or on several lines, is left alone.
    let column = key.column
    let before = string(lines[line(of: start)]..<lines[line(of: start)] + column)
    guard !before.contains("?"), !key.text.contains("\n"), !key.text.isEmpty else {
      throw WrittenYAML.Unsupported()
    }
    return try entry(leading, key: key, after: start + key.text.unicodeScalars.count)
  }

  private mutating func element() throws(WrittenYAML.Unsupported) -> WrittenYAML.Entry {
    // The dash is the last one before the element that no other has used.
    let start = events[next].start
    var dash = min(start, text.count) - 1
    while dash >= 0, text[dash] != "-" || isInComment(dash) { dash -= 1 }
    guard dash >= 0 else { throw WrittenYAML.Unsupported() }
    let leading = lines(before: line(of: dash))
    return try entry(leading, key: nil, after: dash + 1)
  }

  private func isInComment(_ index: Int) -> Bool {
    comments[line(of: index)].map { lines[line(of: index)] + $0 <= index } ?? false
  }

  /// Reads the value of a key or a dash that ends at an index.
  private mutating func entry(
    _ leading: [String?], key: WrittenYAML.Node?, after end: Int
  ) throws(WrittenYAML.Unsupported) -> WrittenYAML.Entry {
    var leading = leading
    let own = line(of: end)
    cursor = max(cursor, own)
    let event = events[next]
    let isEmpty = event.type == YAML_SCALAR_EVENT && event.end == event.start
    let first = isEmpty ? own : line(of: event.start)
    let mark = key == nil ? end : (text[end...].firstIndex(of: ":") ?? end - 1) + 1
    var comment = first > own || isEmpty ? self.comment(after: mark) : ""
    if !event.isBlock, first > own {
      // The text joins its key, so what is between them is above both.
      if !comment.isEmpty { leading.append(comment.trimmed) }
      comment = ""
      leading += lines(before: first).filter { $0 != nil }
    }
    return WrittenYAML.Entry(leading: leading, key: key, value: try node(), comment: comment)
  }

  /// A scalar, an alias or a flow collection as it is written.
  private mutating func textNode() -> WrittenYAML.Node {
    let event = events[next]
    var depth = 0
    var end = event.end
    repeat {
      switch events[next].type {
      case YAML_MAPPING_START_EVENT, YAML_SEQUENCE_START_EVENT: depth += 1
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: depth -= 1
      default: break
      }
      end = max(end, events[next].end)
      next += 1
    } while depth > 0
    guard end > event.start else { return WrittenYAML.Node(text: "", column: 0) }
    var text = string(event.start..<end)
    if event.style == .literal || event.style == .folded {
      let keepsBreaks = text.prefix { $0 != "\n" }.contains("+")
      repeat { if text.last == "\n" { text.removeLast() } } while text.last == "\n" && !keepsBreaks
    } else {
      text = text.trimmedRight
    }
    let last = event.start + text.unicodeScalars.count
    var node = WrittenYAML.Node(
      text: text, style: event.style, hasProperties: event.hasProperties,
      column: column(of: event.start))
    if event.type != YAML_SCALAR_EVENT { node.hasProperties = true }
    cursor = max(cursor, line(of: max(event.start, last - 1)))
    if event.style != .literal, event.style != .folded { node.comment = comment(after: last) }
    return node
  }
}

extension String {
  /// The text without white space at its end.
  var trimmedRight: String {
    var view = unicodeScalars
    while let last = view.last, last == " " || last == "\t" || last == "\n" || last == "\r" {
      view.removeLast()
    }
    return String(view)
  }
}
