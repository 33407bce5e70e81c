/// A value for each instance of a request.
///
/// Most requests have one instance, known by the request's index. The instance of a group's member
/// for item i is known by the request's index plus i times the number of requests: identities stay
/// small integers however many items a source has. Only instances that are open have an entry of
/// their own, so a table does not grow with the number of items.
struct InstanceTable<Value: Sendable>: Sendable {
  private let initial: Value
  private var first: [Value]
  /// Where the values of the other instances stand; a value stays there while it is changed.
  private var places: [Int: Int] = [:]
  private var others: [Value] = []
  private var vacant: [Int] = []

  /// Makes a table in which every instance has the same value.
  init(requestCount: Int, initial: Value) {
    self.initial = initial
    first = Array(repeating: initial, count: requestCount)
  }

  /// The value of an instance.
  subscript(instance: Int) -> Value {
    _read {
      if first.indices.contains(instance) {
        yield first[instance]
      } else if let place = places[instance] {
        yield others[place]
      } else {
        yield initial
      }
    }
    _modify {
      if first.indices.contains(instance) {
        yield &first[instance]
      } else {
        yield &others[place(of: instance)]
      }
    }
  }

  /// Forgets an instance that is over.
  mutating func forget(_ instance: Int) {
    if first.indices.contains(instance) {
      first[instance] = initial
    } else if let place = places.removeValue(forKey: instance) {
      others[place] = initial
      vacant.append(place)
    }
  }

  /// Where the value of an instance stands that is not one of the first, from now on.
  private mutating func place(of instance: Int) -> Int {
    if let place = places[instance] { return place }
    let place = vacant.popLast() ?? others.count
    if place == others.count { others.append(initial) }
    places[instance] = place
    return place
  }
}
