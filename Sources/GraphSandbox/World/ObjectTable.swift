import JSONPath

/// The objects of a world by their ids, the lists of their edges, and which of them have changed.
struct ObjectTable: Sendable {
  /// The place of an object, valid until the object is removed.
  struct Place: Hashable, Sendable {
    fileprivate let index: UInt32
  }

  /// In no order; an element is nil if its place is free, and while it is modified.
  private var objects: [GraphObject?] = []
  /// The objects at the edges of each object; a copy of an object does not hold them, so they grow
  /// in place.
  private var lists: [[(edge: Edge, list: EdgeList)]] = []
  private var places: [String: Place] = [:]
  private var freePlaces: [Place] = []
  /// The ids of added, changed and removed objects; nil until changes are tracked.
  private(set) var changed: Set<String>?
  /// The ids that the description sets; no other object gets one.
  var reservedIDs: Set<String> = []
  var lastID = 122_000_000_000_000
  /// No scheduled post is published before this time; 0 if that is unknown.
  private(set) var nextPublication = 0

  subscript(id: String) -> GraphObject? {
    get { places[id].flatMap { self[$0] } }
    _modify {
      changed?.insert(id)
      if let place = places[id] {
        defer { if self[place] == nil { free(place, of: id) } }
        yield &objects[Int(place.index)]
      } else {
        var object: GraphObject?
        defer { if let object { add(object) } }
        yield &object
      }
    }
  }

  var values: some Sequence<GraphObject> { objects.lazy.compactMap(\.self) }

  /// The place of an object; nil if there is none.
  func place(of id: String) -> Place? { places[id] }

  /// The object at a place, read in place: a copy would retain all its parts.
  subscript(place: Place) -> GraphObject? { _read { yield objects[Int(place.index)] } }

  mutating func reserveCapacity(_ count: Int) {
    objects.reserveCapacity(count)
    lists.reserveCapacity(count)
    places.reserveCapacity(count)
  }

  /// Tracks changes from now on, and forgets earlier ones.
  mutating func startTrackingChanges() { changed = [] }

  private mutating func add(_ object: GraphObject) {
    if let place = freePlaces.popLast() {
      places[object.id] = place
      objects[Int(place.index)] = object
    } else {
      places[object.id] = Place(index: UInt32(objects.count))
      objects.append(object)
      lists.append([])
    }
  }

  private mutating func free(_ place: Place, of id: String) {
    places[id] = nil
    lists[Int(place.index)] = []
    freePlaces.append(place)
  }
}

// MARK: - Lists

extension ObjectTable {
  /// The list of an edge; nil if nothing was ever added to it.
  subscript(edge: Edge, of owner: Place) -> EdgeList? {
    for index in lists[Int(owner.index)].indices where lists[Int(owner.index)][index].edge == edge {
      return lists[Int(owner.index)][index].list
    }
    return nil
  }

  /// All lists of an object that anything was ever added to.
  func lists(of owner: String) -> [(edge: Edge, list: EdgeList)] {
    places[owner].map { lists[Int($0.index)] } ?? []
  }

  subscript(edge: Edge, of owner: String) -> EdgeList? {
    get { places[owner].flatMap { self[edge, of: $0] } }
    set {
      changed?.insert(owner)
      guard let place = places[owner], let newValue else { return }
      withList(of: edge, at: place) { $0 = newValue }
    }
  }

  private mutating func withList(
    of edge: Edge, at owner: Place, _ change: (inout EdgeList) -> Void
  ) {
    let owner = Int(owner.index)
    let index = lists[owner].firstIndex { $0.edge == edge }
    if index == nil { lists[owner].append((edge, EdgeList())) }
    change(&lists[owner][index ?? lists[owner].count - 1].list)
  }

  /// Appends an object to a list.
  mutating func append(_ id: String, to edge: Edge, of owner: String) {
    guard let place = places[id], let ownerPlace = places[owner] else { return }
    changed?.insert(owner)
    withList(of: edge, at: ownerPlace) { $0.append(place) }
  }

  /// Appends an object to a list that does not hold it.
  mutating func appendOnce(_ id: String, to edge: Edge, of owner: String) {
    if self[edge, of: owner]?.contains(places[id]) != true { append(id, to: edge, of: owner) }
  }

  /// Removes an object from a list.
  mutating func remove(_ id: String, from edge: Edge, of owner: String) {
    guard let place = places[id] else { return }
    changed?.insert(owner)
    guard let ownerPlace = places[owner], self[edge, of: ownerPlace] != nil else { return }
    withList(of: edge, at: ownerPlace) { $0.remove(place) }
  }

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

  /// Removes an object and the comments below it.
  mutating func remove(_ object: GraphObject) {
    var doomed = [object]
    while let next = doomed.popLast() {
      for listing in next.listings { remove(next.id, from: listing.edge, of: listing.id) }
      doomed += self[.comments, of: next.id]?.entries.compactMap { self[$0.object] } ?? []
      self[next.id] = nil
    }
  }

  /// Schedules an unpublished post of a page, again or for the first time.
  mutating func schedule(_ id: String, at time: Int) {
    guard let post = self[id] else { return }
    self[id]?.fields["scheduled_publish_time"] = .number(.init(time))
    self[id]?.listings = [.init(id: post.owner, edge: .scheduledPosts)]
    appendOnce(id, to: .scheduledPosts, of: post.owner)
    nextPublication = min(nextPublication, time)
  }

  /// Publishes the scheduled posts whose time has come, and returns their ids.
  @discardableResult
  mutating func publishScheduled(at now: Int) -> [String] {
    guard now >= nextPublication else { return [] }
    nextPublication = .max
    var ready: [(time: Int, id: String)] = []
    for (edge, list) in lists.joined() where edge == .scheduledPosts {
      for case let post? in list.entries.map({ self[$0.object] }) {
        let time = post.fields["scheduled_publish_time"]?.integer ?? 0
        if time <= now { ready.append((time, post.id)) }
        if time > now { nextPublication = min(nextPublication, time) }
      }
    }
    for (time, id) in ready.sorted(by: <) {
      self[id]?.fields["created_time"] = .string(GraphTime.text(time))
      publish(id)
    }
    return ready.map(\.id)
  }

  /// Adds an unpublished post to the feed.
  mutating func publish(_ id: String) {
    guard let post = self[id], post.fields["is_published"]?.bool == false else { return }
    for listing in post.listings { remove(id, from: listing.edge, of: listing.id) }
    self[id]?.fields["scheduled_publish_time"] = nil
    self[id]?.fields["is_published"] = true
    self[id]?.listings = [.init(id: post.owner, edge: .feed)]
    append(id, to: .feed, of: post.owner)
  }

  /// A list of comments and, at any depth, of those below them, the oldest first.
  func replies(to list: EdgeList) -> EdgeList {
    var places: [Place] = []
    var rest = Array(list.entries.map(\.object).reversed())
    while let next = rest.popLast() {
      places.append(next)
      rest += (self[.comments, of: next]?.entries ?? []).map(\.object)
    }
    let created = places.map { (self[$0]?.created ?? 0, $0) }
    var all = EdgeList()
    for (_, place) in created.enumerated().sorted(by: {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }).map(\.element) { all.append(place) }
    return all
  }

  /// The value of `from`: the author of a post, photo or comment.
  func author(_ profile: String) -> JSON {
    ["name": .string(self[profile]?.name ?? ""), "id": .string(profile)]
  }
}

/// The objects at one edge, in the order in which they were added.
///
/// Each has a number that never changes. Cursors hold the number, so they survive deletions.
struct EdgeList: Sendable {
  struct Entry: Hashable, Sendable {
    let number: Int
    let object: ObjectTable.Place
  }

  private(set) var entries: [Entry] = []
  private(set) var nextNumber = 1

  var count: Int { entries.count }

  init() {}

  /// A list with these entries; nil unless their numbers increase and are below the next one.
  init?(_ entries: [Entry], nextNumber: Int) {
    let numbers = [0] + entries.map(\.number) + [nextNumber]
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    self.entries = entries
    self.nextNumber = nextNumber
  }

  mutating func append(_ object: ObjectTable.Place) {
    entries.append(Entry(number: nextNumber, object: object))
    nextNumber += 1
  }

  /// Removes an object; the search starts at the end.
  mutating func remove(_ object: ObjectTable.Place) {
    guard let index = entries.lastIndex(where: { $0.object == object }) else { return }
    entries.remove(at: index)
  }

  /// The list with only some of its objects, which keep their numbers.
  func filtered(_ isKept: (ObjectTable.Place) -> Bool) -> EdgeList {
    var list = self
    list.entries = entries.filter { isKept($0.object) }
    return list
  }

  func contains(_ object: ObjectTable.Place?) -> Bool { entries.contains { $0.object == object } }

  /// The index of the first entry with a number not below this one.
  func index(from number: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
