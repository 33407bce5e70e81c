/// A value for each instance of a request.
///
/// Most requests have one instance, known by the request's index. The instance of a group's member
/// for item i is known by the request's index plus i times the number of requests: identities stay
/// small integers however many items a source has. Only instances that are open have an entry of
/// their own, so a table does not grow with the number of items.
struct InstanceTable<Value: Sendable>: Sendable {
  private let requestCount: Int
  /// Those of the first instances, the initial one for all that have no entry, those of the others.
  ///
  /// A value stays in its place while it is changed.
  private var values: [Value]
  /// Where the values of the others stand.
  private var places = NumberMap<Int>()
  private var vacant: [Int] = []

  /// Makes a table in which every instance has the same value.
  init(requestCount: Int, initial: Value) {
    self.requestCount = requestCount
    values = Array(repeating: initial, count: requestCount + 1)
  }

  subscript(instance: Int) -> Value {
    // By way of a span, because an array would hand out a copy.
    @inline(__always) _read {
      yield values.span[isFirst(instance) ? instance : places[instance] ?? requestCount]
    }
    @inline(__always) _modify {
      yield &values[isFirst(instance) ? instance : place(of: instance)]
    }
  }

  /// Forgets an instance that is over.
  mutating func forget(_ instance: Int) {
    if isFirst(instance) {
      values[instance] = values[requestCount]
    } else if let place = places[instance].take() {
      values[place] = values[requestCount]
      vacant.append(place)
    }
  }

  private func isFirst(_ instance: Int) -> Bool { (0..<requestCount).contains(instance) }

  /// Where the value of an instance stands that is not one of the first, from now on.
  private mutating func place(of instance: Int) -> Int {
    if let place = places[instance] { return place }
    let place = vacant.popLast() ?? values.count
    if place == values.count { values.append(values[requestCount]) }
    places[instance] = place
    return place
  }
}
