/// A value for each instance of a request.
///
/// Most requests have one instance, known by the request's index. The instance of a group's member
/// for item i is known by the request's index plus i times the number of requests: identities stay
/// small integers however many items a source has. Only instances that are open have an entry of
/// their own, so a table does not grow with the number of items.
struct InstanceTable<Value: Sendable>: Sendable {
  private let initial: Value
  private var first: [Value]
  private var others: [Int: Value] = [:]

  /// Makes a table in which every instance has the same value.
  init(requestCount: Int, initial: Value) {
    self.initial = initial
    first = Array(repeating: initial, count: requestCount)
  }

  /// The value of an instance.
  subscript(instance: Int) -> Value {
    get {
      first.indices.contains(instance) ? first[instance] : others[instance, default: initial]
    }
    set {
      if first.indices.contains(instance) {
        first[instance] = newValue
      } else {
        others[instance] = newValue
      }
    }
    _modify {
      if first.indices.contains(instance) {
        yield &first[instance]
      } else {
        var value = others[instance] ?? initial
        others[instance] = nil
        defer { others[instance] = value }
        yield &value
      }
    }
  }

  /// Forgets an instance that is over.
  mutating func forget(_ instance: Int) {
    if first.indices.contains(instance) {
      first[instance] = initial
    } else {
      others[instance] = nil
    }
  }
}
