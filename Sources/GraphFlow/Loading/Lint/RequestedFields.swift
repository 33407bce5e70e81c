internal import JSONPath

/// The fields that `fields` asks for: `id,name,posts.limit(5).as(recent){message}`.
///
/// Source: Graph API, "Field Expansion".
struct RequestedFields {
  /// Names that an answer may have whatever was asked for.
  private static let always: Set<String> = [
    "data", "error", "headers", "id", "metadata", "paging", "success", "summary",
  ]

  /// The names that the fields have in the answer.
  private let names: Set<String>

  /// Reads the outermost names; nil where the text is not plainly a list of fields.
  init?(_ text: String) {
    var names: Set<String> = []
    for field in Self.split(text) {
      let name = String(field.prefix { WorkflowName.isPart($0.asciiValue ?? 0) })
      let rest = field.dropFirst(name.count)
      guard !name.isEmpty, rest.isEmpty || ".({".contains(rest.first ?? " ") else { return nil }
      names.insert(name)
      // An alias stands before the inner fields, which may have aliases of their own.
      if !rest.isEmpty,
        let alias = rest.prefix(while: { $0 != "{" }).firstMatch(of: /\.as\(\s*(\w+)\s*\)/)
      {
        names.insert(String(alias.1))
      }
    }
    guard !names.isEmpty else { return nil }
    self.names = names
  }

  /// The first name that a query reads, and that was not asked for.
  func unrequested(by query: Query, skipping skipped: Int = 0) -> String? {
    var segments = query.segments.dropFirst(skipped)
    // In a list, what is asked for stands in each element of `data`.
    if segments.count >= 3, Self.name(segments.first) == "data",
      Self.isElement(segments[segments.startIndex + 1])
    {
      segments = segments.dropFirst(2)
    }
    guard let name = Self.name(segments.first), !names.contains(name),
      !Self.always.contains(name)
    else { return nil }
    return name
  }

  private static func name(_ segment: Segment?) -> String? {
    guard case .child(let selectors)? = segment, selectors.count == 1,
      case .name(let name) = selectors[0]
    else { return nil }
    return name
  }

  private static func isElement(_ segment: Segment) -> Bool {
    guard case .child(let selectors) = segment else { return false }
    return selectors.allSatisfy { selector in
      guard case .name = selector else { return true }
      return false
    }
  }

  /// The text at its outermost commas.
  private static func split(_ text: String) -> [Substring] {
    var depth = 0
    var fields: [Substring] = []
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case "(", "{": depth += 1
      case ")", "}": depth -= 1
      case "," where depth == 0:
        fields.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    fields.append(text[start...])
    return fields.map { $0.trimmingPrefix(while: \.isWhitespace) }.map { field in
      field.dropLast(field.reversed().prefix(while: \.isWhitespace).count)
    }
  }
}
