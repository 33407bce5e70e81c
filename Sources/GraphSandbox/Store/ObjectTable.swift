/// The objects of a world by their ids, and which of them have changed.
struct ObjectTable: Sendable {
  private var objects: [String: GraphObject] = [:]
  /// The ids of what was added, changed or taken away; nil as long as nobody asks.
  private(set) var changed: Set<String>?

  subscript(id: String) -> GraphObject? {
    get { objects[id] }
    _modify {
      changed?.insert(id)
      yield &objects[id]
    }
  }

  var values: Dictionary<String, GraphObject>.Values { objects.values }

  mutating func reserveCapacity(_ count: Int) { objects.reserveCapacity(count) }

  /// Notes changes from now on; what was noted is forgotten.
  mutating func beginNoting() { changed = [] }
}
