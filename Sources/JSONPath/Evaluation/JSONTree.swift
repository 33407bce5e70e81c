/// A `JSON` value as a query argument.
struct JSONTree: QueryArgument {
  let start: JSON?

  func structure(of value: JSON) -> Structure {
    switch value {
    case .array: .array
    case .object: .object
    default: .scalar
    }
  }

  func children(of value: JSON, _ steps: inout StepCounter) throws(QueryLimitExceeded) -> [JSON] {
    switch value {
    case .array(let elements):
      return elements
    case .object(let object):
      try steps.spend(object.count / 8)
      return object.members.map(\.value)
    default:
      return []
    }
  }

  func member(
    _ name: String, of value: JSON, _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> JSON? { value[name] }

  func step(to position: Int, child: JSON, of value: JSON) -> NormalizedPath.Element {
    guard case .object(let object) = value else { return .index(position) }
    return .name(object.members[position].name)
  }

  /// Spends no steps, because a tree shares its parts.
  func json(_ value: JSON, _ steps: inout StepCounter) throws(QueryLimitExceeded) -> JSON { value }
}
