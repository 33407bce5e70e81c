/// A pattern as instructions for a machine that follows all alternatives at once
/// (Thompson's construction).
struct IRegexpProgram: Sendable {
  /// What one state of the machine does.
  enum Instruction: Sendable {
    /// Goes to the next instruction past one character of the set.
    case consume(ScalarSet)
    /// Goes to both places without consuming anything.
    case split(Int, Int)
    /// Goes there without consuming anything.
    case jump(Int)
    /// Goes on only at the beginning of the text.
    case beginning
    /// Goes on only at the end of the text.
    case end
    /// The pattern fits what has been consumed.
    case accept
  }

  private(set) var instructions: [Instruction] = []
  private var partsLeft = Self.sizeLimit

  /// The most parts, with repetitions written out; `(a{100}){100}` has ten thousand.
  static let sizeLimit = 20_000

  init(_ tree: IRegexpTree) throws(IRegexp.SyntaxError) {
    try append(tree)
    instructions.append(.accept)
  }

  private mutating func append(_ tree: IRegexpTree) throws(IRegexp.SyntaxError) {
    // Parts are counted even where they emit nothing, so that `(){1000000000}` ends too.
    guard partsLeft > 0 else {
      throw IRegexp.SyntaxError(
        offset: 0,
        message: "the pattern has more than \(Self.sizeLimit) parts",
        isAboutSize: true
      )
    }
    partsLeft -= 1
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

  private mutating func appendAlternatives(
    _ branches: [IRegexpTree]
  ) throws(IRegexp.SyntaxError) {
    var ends: [Int] = []
    for (index, branch) in branches.enumerated() {
      guard index < branches.count - 1 else {
        try append(branch)
        break
      }
      let split = reserve()
      try append(branch)
      ends.append(reserve())
      instructions[split] = .split(split + 1, instructions.count)
    }
    for end in ends { instructions[end] = .jump(instructions.count) }
  }

  private mutating func appendLoop(_ part: IRegexpTree) throws(IRegexp.SyntaxError) {
    let split = reserve()
    try append(part)
    instructions.append(.jump(split))
    instructions[split] = .split(split + 1, instructions.count)
  }

  private mutating func appendOptional(
    _ part: IRegexpTree,
    count: Int
  ) throws(IRegexp.SyntaxError) {
    var splits: [Int] = []
    for _ in 0..<count {
      splits.append(reserve())
      try append(part)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }

  /// Makes room for an instruction whose target is not known yet.
  private mutating func reserve() -> Int {
    instructions.append(.accept)
    return instructions.count - 1
  }
}
