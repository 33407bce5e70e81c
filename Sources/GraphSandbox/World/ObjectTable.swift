import JSONPath

/// The objects of a world by their ids, and which of them have changed.
struct ObjectTable: Sendable {
  /// The place of an object, valid until the table changes.
  struct Place: Sendable {
    fileprivate let index: Int
  }

  /// In no order; an element is nil only while it is modified.
  private var objects: [GraphObject?] = []
  private var indices: [String: Int] = [:]
  /// The ids of added, changed and removed objects; nil until changes are tracked.
  private(set) var changed: Set<String>?
  /// The ids that the description sets; no other object gets one.
  var reservedIDs: Set<String> = []
  var lastID = 122_000_000_000_000

  subscript(id: String) -> GraphObject? {
    get { indices[id].flatMap { objects[$0] } }
    _modify {
      changed?.insert(id)
      if let index = indices[id] {
        // In place: a copy would also copy the lists that change.
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

  /// The place of an object; nil if there is none.
  func place(of id: String) -> Place? { indices[id].map(Place.init) }

  /// The object at a place, read in place: a copy would retain all its parts.
  subscript(place: Place) -> GraphObject? { _read { yield objects[place.index] } }

  mutating func reserveCapacity(_ count: Int) {
    objects.reserveCapacity(count)
    indices.reserveCapacity(count)
  }

  /// Tracks changes from now on, and forgets earlier ones.
  mutating func startTrackingChanges() { changed = [] }

  /// Moves the last object to the empty place.
  private mutating func remove(_ id: String, at index: Int) {
    indices[id] = nil
    let last = objects.removeLast()
    guard index < objects.count, let last else { return }
    indices[last.id] = index
    objects[index] = last
  }
}

extension ObjectTable {
  /// The next free id.
  mutating func nextID() -> String {
    lastID += 1
    while !reservedIDs.isEmpty, reservedIDs.contains(String(lastID)) { lastID += 1 }
    return String(lastID)
  }

  /// Inserts an object, also into the lists of its `listings`.
  mutating func insert(_ object: GraphObject) {
    self[object.id] = object
    for listing in object.listings { append(object.id, to: listing.edge, of: listing.id) }
  }

  /// Appends an object to a list.
  mutating func append(_ id: String, to edge: Edge, of owner: String) {
    self[owner]?.edges[edge, default: EdgeList()].append(id)
  }

  /// Removes an object and the comments below it.
  mutating func remove(_ object: GraphObject) {
    var doomed = [object]
    while let next = doomed.popLast() {
      self[next.id] = nil
      for listing in next.listings { self[listing.id]?.edges[listing.edge]?.remove(next.id) }
      doomed += next.edges[.comments]?.entries.compactMap { self[$0.id] } ?? []
    }
  }

  /// The value of `from`: the author of a post, photo or comment.
  func author(_ profile: String) -> JSON {
    ["name": .string(self[profile]?.name ?? ""), "id": .string(profile)]
  }
}
