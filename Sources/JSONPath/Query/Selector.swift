/// A selector of children of a node (RFC 9535 §2.3).
package enum Selector: Sendable {
  /// The member with that name.
  case name(String)
  /// Every child.
  case wildcard
  /// The element at that index; a negative index counts from the end.
  case index(Int)
  /// Every `step`-th element from `start` up to, but not including, `end`; nil is an open bound.
  case slice(start: Int?, end: Int?, step: Int)
  /// Every child for which the expression holds.
  case filter(LogicalExpression)
}
