/// Values are addressed by the indexes of their entries.
extension JSON.Document: QueryArgument {
  /// The first entry is the whole value's.
  var start: Int? { 0 }

  func structure(of value: Int) -> Structure {
    switch entries[value].kind {
    case .array: .array
    case .object: .object
    default: .scalar
    }
  }

  func children(of value: Int, _ steps: inout StepCounter) throws(QueryLimitExceeded) -> [Int] {
    let children =
      switch entries[value].kind {
      case .array: elements(of: value)
      case .object: members(of: value).map(\.value)
      default: [Int]()
      }
    try steps.spend(children.count / 8)
    return children
  }

  func member(
    _ name: String, of value: Int, _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> Int? {
    let (found, compared) = search(for: name, in: value)
    try steps.spend(compared / 8)
    return found
  }

  func step(to position: Int, child: Int, of value: Int) -> NormalizedPath.Element {
    // A member's name comes before its value.
    structure(of: value) == .object ? .name(string(at: child - 1)) : .index(position)
  }

  func json(_ value: Int, _ steps: inout StepCounter) throws(QueryLimitExceeded) -> JSON {
    let entry = entries[value]
    let count = Int(entry.next) - value
    let bytes = Int(entry.end) - Int(entry.start)
    try steps.spend(count / 4 + bytes / 64)
    return json(at: value)
  }
}
