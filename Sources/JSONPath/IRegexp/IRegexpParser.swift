/// Parses a pattern by recursive descent (the grammar of RFC 9485 §4).
struct IRegexpParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  /// The deepest nesting of parentheses; each level uses stack space.
  private static let depthLimit = 128

  private init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  /// The tree of the whole pattern.
  static func tree(of pattern: String) throws(IRegexp.SyntaxError) -> IRegexpTree {
    var parser = IRegexpParser(pattern)
    let tree = try parser.alternatives()
    guard parser.next == nil else { throw parser.error("unmatched ')'") }
    return tree
  }

  /// Branches joined by `|` (`i-regexp`).
  private mutating func alternatives() throws(IRegexp.SyntaxError) -> IRegexpTree {
    var branches = [try branch()]
    while consume("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  /// Pieces, one after the other (`branch`).
  ///
  /// The grammar treats `^` and `$` as ordinary characters. The compliance suite and the engines that
  /// RFC 9485 §5 maps to treat them as anchors. Here they are anchors at the ends of a branch.
  private mutating func branch() throws(IRegexp.SyntaxError) -> IRegexpTree {
    var pieces: [IRegexpTree] = []
    if next == "^", !isQuantifier(afterNext) {
      position += 1
      pieces.append(.beginning)
    }
    while let scalar = next, scalar != "|", scalar != ")" {
      if scalar == "$", afterNext == nil || afterNext == "|" || afterNext == ")" {
        position += 1
        pieces.append(.end)
      } else {
        pieces.append(try piece())
      }
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private func isQuantifier(_ scalar: Unicode.Scalar?) -> Bool {
    scalar == "*" || scalar == "+" || scalar == "?" || scalar == "{"
  }

  /// An atom and its quantifier (`piece`).
  private mutating func piece() throws(IRegexp.SyntaxError) -> IRegexpTree {
    let atom = try atom()
    let counts: (minimum: Int, maximum: Int?)
    if consume("*") {
      counts = (0, nil)
    } else if consume("+") {
      counts = (1, nil)
    } else if consume("?") {
      counts = (0, 1)
    } else if next == "{" {
      counts = try range()
    } else {
      return atom
    }
    return .repetition(atom, minimum: counts.minimum, maximum: counts.maximum)
  }

  /// `{n}`, `{n,}` or `{n,m}` (`range-quantifier`).
  private mutating func range() throws(IRegexp.SyntaxError) -> (minimum: Int, maximum: Int?) {
    let start = position
    position += 1
    let minimum = try count()
    var maximum: Int? = minimum
    if consume(",") { maximum = next == "}" ? nil : try count() }
    guard consume("}") else { throw error("expected '}'") }
    guard maximum.map({ minimum <= $0 }) ?? true else {
      throw error("the minimum count is larger than the maximum", at: start)
    }
    return (minimum, maximum)
  }

  private mutating func count() throws(IRegexp.SyntaxError) -> Int {
    let start = position
    var value = 0
    while let scalar = next, scalar.isDigit {
      // Far above the program's size limit, so the exact value does not matter.
      value = min(value * 10 + Int(scalar.value - 0x30), 1_000_000_000)
      position += 1
    }
    guard position > start else { throw error("expected a count") }
    return value
  }

  /// One character, a set of them, or a group (`atom`).
  private mutating func atom() throws(IRegexp.SyntaxError) -> IRegexpTree {
    switch next {
    case "(": return try group()
    case "[": return .set(try bracketed())
    case "\\":
      var set = ScalarSet()
      try insertEscape(into: &set)
      return .set(set)
    case ".":
      position += 1
      return .set(.anyButLineEnds)
    case "*", "+", "?", "{": throw error("nothing to repeat before this quantifier")
    case "]", "}": throw error(#"this character must be escaped with '\'"#)
    case let scalar?:
      position += 1
      return .set(ScalarSet(scalar))
    case nil: throw error("expected a character")
    }
  }

  private mutating func group() throws(IRegexp.SyntaxError) -> IRegexpTree {
    guard depth < Self.depthLimit else {
      throw error("nested deeper than \(Self.depthLimit) levels", isTooLarge: true)
    }
    let start = position
    position += 1
    depth += 1
    defer { depth -= 1 }
    let tree = try alternatives()
    guard consume(")") else { throw error("this '(' is never closed", at: start) }
    return tree
  }

  /// `[…]` or `[^…]` (`charClassExpr`).
  private mutating func bracketed() throws(IRegexp.SyntaxError) -> ScalarSet {
    let start = position
    position += 1
    var set = ScalarSet()
    let isInverted = consume("^")
    var isFirst = true
    while !consume("]") {
      guard next != nil else { throw error("this '[' is never closed", at: start) }
      if next == "-" {
        // A hyphen is a character of the set only at either end.
        position += 1
        guard isFirst || next == "]" else {
          throw error("a hyphen must be first or last in a set", at: position - 1)
        }
        set.insert("-"..."-")
      } else if next == "\\", let kind = afterNext, kind == "p" || kind == "P" {
        try insertEscape(into: &set)
      } else {
        set.insert(try characterRange())
      }
      isFirst = false
    }
    guard !isFirst else { throw error("this set is empty", at: start) }
    if isInverted { set.invert() }
    return set
  }

  /// `a` or `a-z` (`CCE1`).
  private mutating func characterRange()
    throws(IRegexp.SyntaxError) -> ClosedRange<Unicode.Scalar>
  {
    let start = position
    let first = try setCharacter()
    guard next == "-", let following = afterNext, following != "]" else { return first...first }
    position += 1
    let last = try setCharacter()
    guard first <= last else { throw error("this range ends before it starts", at: start) }
    return first...last
  }

  /// A character in brackets (`CCchar`).
  private mutating func setCharacter() throws(IRegexp.SyntaxError) -> Unicode.Scalar {
    guard let scalar = next else { throw error("expected a character") }
    switch scalar {
    case "\\": return try singleEscape()
    case "-", "[", "]": throw error(#"this character must be escaped with '\'"#)
    default:
      position += 1
      return scalar
    }
  }

  /// Inserts the characters that an escape stands for.
  private mutating func insertEscape(into set: inout ScalarSet) throws(IRegexp.SyntaxError) {
    let kind = afterNext
    guard kind == "p" || kind == "P" else {
      let scalar = try singleEscape()
      return set.insert(scalar...scalar)
    }
    let start = position
    position += 2
    guard consume("{") else { throw error(#"expected '{' after \p or \P"#, at: start) }
    var name = ""
    while let scalar = next, scalar != "}", name.utf8.count <= 2 {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard consume("}"), let categories = ScalarSet.categories(named: name) else {
      throw error("unknown character category", at: start)
    }
    set.insert(kind == "p" ? categories : ScalarSet.allCategories.subtracting(categories))
  }

  /// An escape for one character (`SingleCharEsc`).
  private mutating func singleEscape() throws(IRegexp.SyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let scalar = next else { throw error("the pattern ends inside an escape", at: start) }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "("..."+", "-", ".", "?", "["..."^", "{"..."}": return scalar
    default: throw error("no such escape in I-Regexp", at: start)
    }
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private var afterNext: Unicode.Scalar? {
    position + 1 < scalars.count ? scalars[position + 1] : nil
  }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private func error(
    _ message: String, at offset: Int? = nil, isTooLarge: Bool = false
  ) -> IRegexp.SyntaxError {
    IRegexp.SyntaxError(offset: offset ?? position, message: message, isTooLarge: isTooLarge)
  }
}
