/// A function with its arguments (RFC 9535 §2.4).
struct FunctionCall: Sendable {
  let function: Function
  let arguments: [Operand]
  /// The compiled pattern of `match` or `search`, if it is a literal in the query.
  let pattern: Pattern?

  /// A pattern that is known before evaluation.
  enum Pattern: Sendable {
    case valid(IRegexp)
    /// Not an I-Regexp: nothing matches it (RFC 9535 §2.4.6).
    case invalid
  }
}

/// A function that an expression can call.
enum Function: Sendable {
  case length
  case count
  case match
  case search
  case value
  case host(LogicalExpression.HostFunction)

  /// The function with that name; RFC 9535's functions take precedence over the host's.
  init?(_ name: String, in dialect: LogicalExpression.Dialect) {
    switch name {
    case "length": self = .length
    case "count": self = .count
    case "match": self = .match
    case "search": self = .search
    case "value": self = .value
    default:
      guard let function = dialect.functions.first(where: { $0.name == name }) else { return nil }
      self = .host(function)
    }
  }

  /// The declared types of its parameters.
  var parameters: [DeclaredType] {
    switch self {
    case .length: [.value]
    case .count, .value: [.nodes]
    case .match, .search: [.value, .value]
    case .host(let function): Array(repeating: .value, count: max(0, function.parameterCount))
    }
  }

  /// The declared type of its result.
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
