/// Comparisons (RFC 9535 §2.3.5.2.2); nil stands for Nothing.
extension Evaluator {
  mutating func compare(
    _ left: JSON?, _ comparator: Comparator, _ right: JSON?
  ) throws(QueryLimitExceeded) -> Bool {
    switch comparator {
    case .equal: return try areEqual(left, right)
    case .notEqual: return try !areEqual(left, right)
    case .less: return try isLess(left, right)
    case .greater: return try isLess(right, left)
    case .lessOrEqual:
      let isLess = try isLess(left, right)
      return try isLess ? true : areEqual(left, right)
    case .greaterOrEqual:
      let isGreater = try isLess(right, left)
      return try isGreater ? true : areEqual(left, right)
    }
  }

  private mutating func areEqual(_ left: JSON?, _ right: JSON?) throws(QueryLimitExceeded) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    switch (left, right) {
    case (.array(let left), .array(let right)):
      try steps.spend()
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) where try !areEqual(left, right) { return false }
      return true
    case (.object(let left), .object(let right)):
      try steps.spend()
      guard left.count == right.count else { return false }
      for (name, value) in left {
        guard let other = right[name], try areEqual(value, other) else { return false }
      }
      return true
    default:
      try spend(on: left, right)
      return left == right
    }
  }

  /// Orders two numbers or two strings; no other values have an order.
  private mutating func isLess(_ left: JSON?, _ right: JSON?) throws(QueryLimitExceeded) -> Bool {
    guard let left, let right else { return false }
    try spend(on: left, right)
    return switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left.precedesByScalars(right)
    default: false
    }
  }

  /// Spends steps on reading two scalars.
  private mutating func spend(on left: JSON, _ right: JSON) throws(QueryLimitExceeded) {
    try steps.spend(1 + Self.comparedBytes(of: left) / 16 + Self.comparedBytes(of: right) / 16)
  }

  /// The number of bytes that comparing a scalar may read.
  private static func comparedBytes(of scalar: JSON) -> Int {
    switch scalar {
    case .string(let text): text.utf8.count
    case .number(let number): number.lexeme.utf8.count
    default: 0
    }
  }
}
