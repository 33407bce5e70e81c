/// What picks children of a node (RFC 9535 §2.3).
package enum Selector: Sendable {
  /// The member of that name.
  case name(String)
  /// Every child.
  case wildcard
  /// The element at that position; negative ones count from the end.
  case index(Int)
  /// Every `step`-th element from `start` up to, but without, `end`; nil leaves a bound open.
  case slice(start: Int?, end: Int?, step: Int)
  /// Every child for which the expression holds.
  case filter(LogicalExpression)
}
