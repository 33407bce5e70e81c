internal import JSONPath

/// A selector by position, such as `[0]` or `[:5]`, that is not applied to the result of a filter.
///
/// The first node of a list changes whenever anyone posts.
enum PositionalSelector {
  static func isIn(_ query: Query) -> Bool {
    for selector in query.segments.flatMap(\.selectors) {
      switch selector {
      case .index, .slice: return true
      case .filter: return false
      case .name, .wildcard: continue
      }
    }
    return false
  }

  /// The characters of the first such selector with its brackets; nil if there is none.
  static func characters(of text: String) -> Range<Int>? {
    var start = 0
    var depth = 0
    var quote: Unicode.Scalar?
    var isEscaped = false
    var isPositional = false
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if let open = quote {
        if !isEscaped, scalar == open { quote = nil }
        isEscaped = !isEscaped && scalar == "\\"
        continue
      }
      switch scalar {
      case "'", "\"": quote = scalar
      case "[":
        if depth == 0 { (start, isPositional) = (index, false) }
        depth += 1
      case "]":
        depth -= 1
        if depth == 0, isPositional { return start..<index + 1 }
      case "?" where depth == 1: return nil
      case "0"..."9", ":": if depth == 1 { isPositional = true }
      default: continue
      }
    }
    return nil
  }
}
