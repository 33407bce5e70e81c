/// The objects of a world by their ids, and which of them have changed.
struct ObjectTable: Sendable {
  /// Where an object is, until the table changes.
  struct Place: Sendable {
    fileprivate let index: Int
  }

  /// In no order; none of them is nil but while it is being changed.
  private var objects: [GraphObject?] = []
  private var indices: [String: Int] = [:]
  /// The ids of what was added, changed or taken away; nil as long as nobody asks.
  private(set) var changed: Set<String>?

  subscript(id: String) -> GraphObject? {
    get { indices[id].flatMap { objects[$0] } }
    _modify {
      changed?.insert(id)
      if let index = indices[id] {
        // In its place: a copy would copy the lists that change.
        defer { if objects[index] == nil { remove(id, at: index) } }
        yield &objects[index]
      } else {
        var object: GraphObject?
        defer {
          if let object {
            indices[id] = objects.count
            objects.append(object)
          }
        }
        yield &object
      }
    }
  }

  var values: some Sequence<GraphObject> { objects.lazy.compactMap(\.self) }

  /// Where an object is; nil if there is none.
  func place(of id: String) -> Place? { indices[id].map(Place.init) }

  /// Looks at an object in its place: a copy would count its references.
  subscript(place: Place) -> GraphObject? {
    _read { yield objects[place.index] }
  }

  mutating func reserveCapacity(_ count: Int) {
    objects.reserveCapacity(count)
    indices.reserveCapacity(count)
  }

  /// Notes changes from now on; what was noted is forgotten.
  mutating func beginNoting() { changed = [] }

  /// The last object takes the empty place.
  private mutating func remove(_ id: String, at index: Int) {
    indices[id] = nil
    let last = objects.removeLast()
    guard index < objects.count, let last else { return }
    indices[last.id] = index
    objects[index] = last
  }
}
