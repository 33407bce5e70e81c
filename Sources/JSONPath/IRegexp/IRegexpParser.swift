/// Reads a pattern by recursive descent over RFC 9485 §4's grammar.
struct IRegexpParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  /// The deepest nesting of parentheses; each level costs stack.
  private static let depthLimit = 128

  private init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  /// The tree of the whole pattern.
  static func tree(of pattern: String) throws(IRegexp.SyntaxError) -> IRegexpTree {
    var parser = IRegexpParser(pattern)
    let tree = try parser.alternatives()
    guard parser.next == nil else { throw parser.error("this ')' closes nothing") }
    return tree
  }

  /// Branches joined by `|` (`i-regexp`).
  private mutating func alternatives() throws(IRegexp.SyntaxError) -> IRegexpTree {
    var branches = [try branch()]
    while take("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  /// Pieces, one after the other (`branch`).
  ///
  /// To the grammar `^` and `$` are characters like others, but the compliance suite and the engines
  /// that RFC 9485 §5 maps to know them as anchors. So they are, at a branch's two ends.
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

  /// An atom and how often it occurs (`piece`).
  private mutating func piece() throws(IRegexp.SyntaxError) -> IRegexpTree {
    let atom = try atom()
    let counts: (minimum: Int, maximum: Int?)
    if take("*") {
      counts = (0, nil)
    } else if take("+") {
      counts = (1, nil)
    } else if take("?") {
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
    if take(",") { maximum = next == "}" ? nil : try count() }
    guard take("}") else { throw error("expected '}'") }
    guard maximum.map({ minimum <= $0 }) ?? true else {
      throw error("the larger count comes second", at: start)
    }
    return (minimum, maximum)
  }

  private mutating func count() throws(IRegexp.SyntaxError) -> Int {
    let start = position
    var value = 0
    while let scalar = next, scalar.isDigit {
      // Far beyond what the program's size allows, so its exact value no longer matters.
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
    case "*", "+", "?", "{": throw error("nothing to repeat before it")
    case "]", "}": throw error(#"this character is written with a '\' before it"#)
    case let scalar?:
      position += 1
      return .set(ScalarSet(scalar))
    case nil: throw error("expected a character")
    }
  }

  private mutating func group() throws(IRegexp.SyntaxError) -> IRegexpTree {
    guard depth < Self.depthLimit else {
      throw error("nested deeper than \(Self.depthLimit) levels", isAboutSize: true)
    }
    let start = position
    position += 1
    depth += 1
    defer { depth -= 1 }
    let tree = try alternatives()
    guard take(")") else { throw error("this '(' is never closed", at: start) }
    return tree
  }

  /// `[…]` or `[^…]` (`charClassExpr`).
  private mutating func bracketed() throws(IRegexp.SyntaxError) -> ScalarSet {
    let start = position
    position += 1
    var set = ScalarSet()
    let isInverted = take("^")
    var isFirst = true
    while !take("]") {
      guard next != nil else { throw error("this '[' is never closed", at: start) }
      if next == "-" {
        // A hyphen stands for itself only at either end.
        position += 1
        guard isFirst || next == "]" else {
          throw error("a hyphen here is written first or last", at: position - 1)
        }
        set.insert("-"..."-")
      } else if next == "\\", let kind = afterNext, kind == "p" || kind == "P" {
        try insertEscape(into: &set)
      } else {
        set.insert(try characterRange())
      }
      isFirst = false
    }
    guard !isFirst else { throw error("an empty set", at: start) }
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
    guard first <= last else { throw error("this range is upside down", at: start) }
    return first...last
  }

  /// A character in brackets (`CCchar`).
  private mutating func setCharacter() throws(IRegexp.SyntaxError) -> Unicode.Scalar {
    guard let scalar = next else { throw error("expected a character") }
    switch scalar {
    case "\\": return try singleEscape()
    case "-", "[", "]": throw error(#"this character is written with a '\' before it"#)
    default:
      position += 1
      return scalar
    }
  }

  /// A `\` and what it makes of the characters behind it.
  private mutating func insertEscape(into set: inout ScalarSet) throws(IRegexp.SyntaxError) {
    let kind = afterNext
    guard kind == "p" || kind == "P" else {
      let scalar = try singleEscape()
      return set.insert(scalar...scalar)
    }
    let start = position
    position += 2
    guard take("{") else { throw error("expected '{' after it", at: start) }
    var name = ""
    while let scalar = next, scalar != "}", name.utf8.count <= 2 {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take("}"), let categories = ScalarSet.categories(named: name) else {
      throw error("no such category of characters", at: start)
    }
    set.insert(kind == "p" ? categories : ScalarSet.allCategories.subtracting(categories))
  }

  /// A `\` that stands for one character (`SingleCharEsc`).
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

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private func error(
    _ message: String,
    at offset: Int? = nil,
    isAboutSize: Bool = false
  ) -> IRegexp.SyntaxError {
    IRegexp.SyntaxError(offset: offset ?? position, message: message, isAboutSize: isAboutSize)
  }
}
