import JSONPath

/// The values of a file; unlike a JSON value, a map may contain a key twice.
enum FileTree: Sendable {
  case scalar(JSON)
  case list([FileTree])
  case map([(key: String, value: FileTree)])

  init(_ value: JSON) {
    switch value {
    case .array(let elements): self = .list(elements.map(FileTree.init))
    case .object(let object): self = .map(object.map { ($0.name, FileTree($0.value)) })
    default: self = .scalar(value)
    }
  }

  /// JSON text, which is YAML text as well (YAML 1.2.2 §1.3).
  var text: String {
    switch self {
    case .scalar(let value): value.serialized()
    case .list(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .map(let members):
      "{"
        + members.map { "\(JSON.string($0.key).serialized()): \($0.value.text)" }
        .joined(separator: ", ") + "}"
    }
  }

  /// The number of values, including this one.
  var count: Int {
    switch self {
    case .scalar: 1
    case .list(let elements): elements.reduce(1) { $0 + $1.count }
    case .map(let members): members.reduce(1) { $0 + $1.value.count }
    }
  }

  /// The value at a position in the order of the file, beginning with this one.
  subscript(position: Int) -> FileTree {
    get {
      var rest = position
      return find(&rest) ?? self
    }
    set {
      var rest = position
      self = replaced(&rest, by: newValue)
    }
  }

  private var parts: [FileTree] {
    switch self {
    case .scalar: []
    case .list(let elements): elements
    case .map(let members): members.map(\.value)
    }
  }

  private func find(_ rest: inout Int) -> FileTree? {
    guard rest > 0 else { return self }
    rest -= 1
    for part in parts {
      let count = part.count
      if rest < count { return part.find(&rest) }
      rest -= count
    }
    return nil
  }

  private func replaced(_ rest: inout Int, by other: FileTree) -> FileTree {
    if rest == 0 {
      rest = -1
      return other
    }
    guard rest > 0 else { return self }
    rest -= 1
    switch self {
    case .scalar: return self
    case .list(let elements): return .list(elements.map { $0.replaced(&rest, by: other) })
    case .map(let members):
      return .map(members.map { ($0.key, $0.value.replaced(&rest, by: other)) })
    }
  }
}
