/// A function with its arguments (RFC 9535 §2.4).
struct FunctionCall: Sendable {
  let function: Function
  let arguments: [Operand]
  /// The compiled pattern of `match` or `search`, if it is a valid literal in the query.
  let pattern: IRegexp?
}

/// A function that an expression can call.
enum Function: Sendable {
  case length
  case count
  case match
  case search
  case value
  case host(String, parameterCount: Int)

  /// The function with that name; RFC 9535's functions take precedence over the host's.
  init?(_ name: String, in dialect: LogicalExpression.Dialect) {
    switch name {
    case "length": self = .length
    case "count": self = .count
    case "match": self = .match
    case "search": self = .search
    case "value": self = .value
    default:
      guard let count = dialect.parameterCount(of: name) else { return nil }
      self = .host(name, parameterCount: count)
    }
  }

  var parameters: [DeclaredType] {
    switch self {
    case .length: [.value]
    case .count, .value: [.nodes]
    case .match, .search: [.value, .value]
    case .host(_, let count): Array(repeating: .value, count: max(0, count))
    }
  }

  var result: DeclaredType {
    switch self {
    case .match, .search: .logical
    case .length, .count, .value, .host: .value
    }
  }
}

/// The type of a parameter or result (RFC 9535 §2.4.1).
///
/// No function here takes a LogicalType or returns a NodesType.
enum DeclaredType: Sendable {
  /// A JSON value or Nothing.
  case value
  /// True or false, which are not JSON's `true` and `false`.
  case logical
  /// A list of nodes.
  case nodes
}
