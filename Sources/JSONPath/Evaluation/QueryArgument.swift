/// The value that a query is applied to (RFC 9535 §1.1): a `JSON` tree or a `JSON.Document`.
///
/// Operations whose cost grows with the data spend steps.
protocol QueryArgument {
  /// A reference to one value in the argument.
  associatedtype Reference

  /// The value of `$`; nil if there is none.
  var start: Reference? { get }

  /// The structure of a value, which decides the selectors that apply to it.
  func structure(of value: Reference) -> Structure

  /// The elements or the members' values, in order; empty for a scalar.
  func children(
    of value: Reference, _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> [Reference]

  /// The member with that name, or nil if there is none or the value is not an object.
  func member(
    _ name: String, of value: Reference, _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> Reference?

  /// The path element from a value to its child at that position among `children`.
  func step(to position: Int, child: Reference, of value: Reference) -> NormalizedPath.Element

  func json(_ value: Reference, _ steps: inout StepCounter) throws(QueryLimitExceeded) -> JSON
}

/// Whether a value has elements, members or neither.
enum Structure {
  case scalar
  case array
  case object
}
