/// The parts of a pattern (RFC 9485 §4).
indirect enum IRegexpTree: Sendable {
  /// One character of a set.
  case set(ScalarSet)
  /// The beginning (`^`) of the text.
  case beginning
  /// The end (`$`) of the text.
  case end
  /// The parts in sequence; with no parts it matches the empty text.
  case sequence([IRegexpTree])
  /// Any of the parts.
  case alternatives([IRegexpTree])
  /// The part at least `minimum` and at most `maximum` times; nil is unbounded.
  case repetition(IRegexpTree, minimum: Int, maximum: Int?)
}
