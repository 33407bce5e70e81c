/// A pattern compiled to a nondeterministic automaton (Thompson's construction).
struct IRegexpProgram: Sendable {
  /// What one state of the machine does.
  enum Instruction: Sendable {
    /// Consumes a character of the set and continues with the next instruction.
    case consume(ScalarSet)
    /// Continues at both instructions without consuming anything.
    case split(Int, Int)
    /// Continues at that instruction without consuming anything.
    case jump(Int)
    /// Continues only at the beginning of the text.
    case beginning
    case end
    /// The pattern matches the consumed text.
    case accept
  }

  private(set) var instructions: [Instruction] = []
  private var remainingParts = Self.sizeLimit

  /// The largest number of parts, with repetitions expanded; `(a{100}){100}` has ten thousand.
  static let sizeLimit = 20_000

  init(_ tree: IRegexpTree) throws(IRegexp.SyntaxError) {
    try append(tree)
    instructions.append(.accept)
  }

  private mutating func append(_ tree: IRegexpTree) throws(IRegexp.SyntaxError) {
    // Parts count even if they emit nothing, so that `(){1000000000}` ends too.
    guard remainingParts > 0 else {
      throw IRegexp.SyntaxError(
        offset: 0, message: "the pattern has more than \(Self.sizeLimit) parts", isTooLarge: true)
    }
    remainingParts -= 1
    switch tree {
    case .set(let set): instructions.append(.consume(set))
    case .beginning: instructions.append(.beginning)
    case .end: instructions.append(.end)
    case .sequence(let parts): for part in parts { try append(part) }
    case .alternatives(let branches): try appendAlternatives(branches)
    case .repetition(let part, let minimum, let maximum):
      for _ in 0..<minimum { try append(part) }
      guard let maximum else { return try appendLoop(part) }
      try appendOptional(part, count: maximum - minimum)
    }
  }

  private mutating func appendAlternatives(_ branches: [IRegexpTree]) throws(IRegexp.SyntaxError) {
    var ends: [Int] = []
    for branch in branches.dropLast() {
      let split = reserve()
      try append(branch)
      ends.append(reserve())
      instructions[split] = .split(split + 1, instructions.count)
    }
    if let last = branches.last { try append(last) }
    for end in ends { instructions[end] = .jump(instructions.count) }
  }

  private mutating func appendLoop(_ part: IRegexpTree) throws(IRegexp.SyntaxError) {
    let split = reserve()
    try append(part)
    instructions.append(.jump(split))
    instructions[split] = .split(split + 1, instructions.count)
  }

  private mutating func appendOptional(_ part: IRegexpTree, count: Int) throws(IRegexp.SyntaxError)
  {
    var splits: [Int] = []
    for _ in 0..<count {
      splits.append(reserve())
      try append(part)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }

  /// Reserves an instruction whose target is not yet known.
  private mutating func reserve() -> Int {
    instructions.append(.accept)
    return instructions.count - 1
  }
}
