/// A document as a query argument; values are addressed by their entries on the tape.
struct DocumentTape: QueryArgument {
  let document: JSON.Document

  /// The first entry is the whole value's.
  var root: Int? { 0 }

  private var tape: JSONTape { document.tape }

  func structure(of value: Int) -> Structure {
    switch tape.entries[value].kind {
    case .array: .array
    case .object: .object
    default: .scalar
    }
  }

  func children(of value: Int, _ steps: inout StepCounter) throws(QueryLimitExceeded) -> [Int] {
    let children =
      switch tape.entries[value].kind {
      case .array: document.elements(of: value)
      case .object: document.members(of: value).map(\.value)
      default: [Int]()
      }
    try steps.spend(children.count / 8)
    return children
  }

  func member(
    _ name: String, of value: Int, _ steps: inout StepCounter
  ) throws(QueryLimitExceeded) -> Int? {
    let (found, compared) = document.search(for: name, in: value)
    try steps.spend(compared / 8)
    return found
  }

  func step(to position: Int, child: Int, of value: Int) -> NormalizedPath.Element {
    // On the tape a member's name comes before its value.
    structure(of: value) == .object ? .name(document.string(at: child - 1)) : .index(position)
  }

  func json(_ value: Int, _ steps: inout StepCounter) throws(QueryLimitExceeded) -> JSON {
    let entry = tape.entries[value]
    let entries = Int(entry.next) - value
    let bytes = Int(entry.end) - Int(entry.start)
    try steps.spend(entries / 4 + bytes / 64)
    return document.json(at: value)
  }
}
