/// The parts of a pattern (RFC 9485 §4).
indirect enum IRegexpTree: Sendable {
  /// One character of a set.
  case set(ScalarSet)
  /// The beginning (`^`) of the text.
  case beginning
  /// The end (`$`) of the text.
  case end
  /// One part after the other; none of them fits the empty text.
  case sequence([IRegexpTree])
  /// Any of the parts.
  case alternatives([IRegexpTree])
  /// The part at least `minimum` times, and at most `maximum`; nil is without end.
  case repetition(IRegexpTree, minimum: Int, maximum: Int?)
}
