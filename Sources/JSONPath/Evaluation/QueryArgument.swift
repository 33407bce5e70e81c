/// A JSON value as a query walks it (RFC 9535 §1.1: the query argument).
///
/// A tree of `JSON` and the tape of a `JSON.Document` are walked by the same evaluator.
/// What takes time in proportion to the data spends steps.
protocol QueryArgument {
  /// What names one value in the argument.
  associatedtype Reference

  /// What `$` stands for; nil if it stands for nothing.
  var root: Reference? { get }

  /// What the value is, as far as selectors care.
  func structure(of value: Reference) -> Structure

  /// The elements or the members' values, in order; none of a scalar.
  func children(
    of value: Reference,
    _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> [Reference]

  /// The member of that name, or nil if there is none or the value is no object.
  func member(
    _ name: String,
    of value: Reference,
    _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> Reference?

  /// The step from a value to its child at that position among `children`.
  func step(
    to position: Int,
    child: Reference,
    of value: Reference
  ) -> NormalizedPath.Element

  /// The value itself.
  func json(
    _ value: Reference,
    _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> JSON
}

/// What a value is, as far as selectors care.
enum Structure {
  case scalar
  case array
  case object
}
