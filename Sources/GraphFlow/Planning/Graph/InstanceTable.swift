/// A value for each instance of a request.
///
/// Most requests have one instance, whose number is the request's index. For a group's member, the
/// number of the instance for item i is the request's index plus i times the number of requests, so
/// the numbers stay small integers however many items there are. Only open instances have an entry of
/// their own, so a table does not grow with the number of items.
struct InstanceTable<Value: Sendable>: Sendable {
  private let requestCount: Int
  /// The values of the first instances, then the initial value, then the values of the others.
  ///
  /// A value stays at its index, so it can be changed in place.
  private var values: [Value]
  /// The indices of the values of the others.
  private var places = NumberMap<Int>()
  private var vacant: [Int] = []

  init(requestCount: Int, initial: Value) {
    self.requestCount = requestCount
    values = Array(repeating: initial, count: requestCount + 1)
  }

  subscript(instance: Int) -> Value {
    // Through a span, because an array would return a copy.
    @inline(__always) _read {
      yield values.span[isFirst(instance) ? instance : places[instance] ?? requestCount]
    }
    @inline(__always) _modify { yield &values[isFirst(instance) ? instance : place(of: instance)] }
  }

  /// Removes the value of a completed instance.
  mutating func removeValue(of instance: Int) {
    if isFirst(instance) {
      values[instance] = values[requestCount]
    } else if let place = places[instance].take() {
      values[place] = values[requestCount]
      vacant.append(place)
    }
  }

  private func isFirst(_ instance: Int) -> Bool { (0..<requestCount).contains(instance) }

  /// The index of the value of an instance after the first ones; adds a value if it has none.
  private mutating func place(of instance: Int) -> Int {
    if let place = places[instance] { return place }
    let place = vacant.popLast() ?? values.count
    if place == values.count { values.append(values[requestCount]) }
    places[instance] = place
    return place
  }
}
