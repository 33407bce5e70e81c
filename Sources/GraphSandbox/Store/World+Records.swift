import JSONPath

/// A world as records of a store: one for each object, and one for everything else.
extension World {
  /// The key of the record for everything else; objects have `object/ID`.
  private static let factsKey = "world"
  private static let objectPrefix = "object/"

  /// All records of the world, in no order.
  var records: [(key: String, json: JSON)] {
    objects.values.map { (Self.objectPrefix + $0.id, objects.json(of: $0)) }
      + [(Self.factsKey, facts)]
  }

  /// All records of the world in UTF-8; changes are tracked from here on.
  mutating func allRecords() -> [(key: String, value: [UInt8]?)] {
    objects.startTrackingChanges()
    return records.map { ($0.key, $0.json.bytes) }
  }

  /// All records, in place of those of another world; changes are tracked from here on.
  mutating func allRecords(replacing other: World) -> [(key: String, value: [UInt8]?)] {
    let removed = other.objects.values.filter { objects.place(of: $0.id) == nil }
    return allRecords() + removed.map { (Self.objectPrefix + $0.id, nil) }
  }

  /// The records that have changed since changes are tracked, and the one for everything else.
  var changedRecords: [(key: String, value: [UInt8]?)] {
    (objects.changed ?? []).sorted().map { id in
      (Self.objectPrefix + id, objects[id].map { objects.json(of: $0).bytes })
    } + [(Self.factsKey, facts.bytes)]
  }

  /// Replaces the world's contents with a store's.
  ///
  /// - Returns: whether the store held a world.
  /// - Throws: ``SandboxFailure`` for records that no world has written.
  mutating func restore(from store: any WorldStore) throws -> Bool {
    let isWhole = try restore("the store") { visit in
      try store.forEachRecord { key, value in
        guard let json = try? JSON(parsing: value) else {
          throw SandboxFailure.damaged("the store", key)
        }
        try visit(key, json)
      }
    }
    if isWhole { objects.startTrackingChanges() }
    return isWhole
  }

  /// Replaces the world's contents with a snapshot's.
  ///
  /// - Throws: ``SandboxFailure`` for records that no world has written.
  mutating func restore(from snapshot: Snapshot) throws {
    let isWhole = try restore("the snapshot") { visit in
      for (key, json) in snapshot.records { try visit(key, json) }
    }
    guard isWhole else { throw SandboxFailure.damaged("the snapshot", Self.factsKey) }
  }

  private mutating func restore(
    _ source: String, _ forEachRecord: (_ visit: (String, JSON) throws -> Void) throws -> Void
  ) throws -> Bool {
    var facts: JSON?
    var kept = ObjectTable()
    var lists: [(owner: String, lists: JSON)] = []
    try forEachRecord { key, json in
      guard key != Self.factsKey else {
        facts = json
        return
      }
      let id = String(key.dropFirst(Self.objectPrefix.utf8.count))
      guard key.hasPrefix(Self.objectPrefix), let object = GraphObject(id: id, json) else {
        throw SandboxFailure.damaged(source, key)
      }
      kept[id] = object
      if let edges = json["edges"] { lists.append((id, edges)) }
    }
    guard let facts else { return false }
    guard facts["version"]?.integer == 1, restore(facts) else {
      throw SandboxFailure.damaged(source, Self.factsKey)
    }
    // Lists hold objects that are restored after them.
    for (id, edges) in lists where !kept.restoreLists(edges, of: id) {
      throw SandboxFailure.damaged(source, Self.objectPrefix + id)
    }
    (kept.lastID, kept.reservedIDs) = (objects.lastID, objects.reservedIDs)
    objects = kept
    return true
  }

  private var facts: JSON {
    let members: JSON.Object = [
      "version": 1, "now": .number(.init(now)), "last_id": .number(.init(objects.lastID)),
      "application": .string(access.application),
      "issued_tokens": .string(String(access.generator.issuedCount)),
    ]
    return .object(JSON.Object(members.members + access.members.members))
  }

  private mutating func restore(_ facts: JSON) -> Bool {
    guard let now = facts["now"]?.integer, (0...GraphTime.latest).contains(now),
      let lastID = facts["last_id"]?.integer, (0..<1 << 60).contains(lastID),
      let application = facts["application"]?.string,
      let issued = facts["issued_tokens"]?.string.flatMap(UInt64.init)
    else { return false }
    self.now = now
    objects.lastID = lastID
    access.application = application
    access.generator.issuedCount = issued
    return access.restore(facts)
  }
}

extension JSON {
  /// An object whose members are sorted by their names.
  init<Value>(sorted values: [String: Value], _ json: (Value) -> JSON) {
    self = .object(Object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
  }

  /// The value in UTF-8.
  var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }
}

extension SandboxFailure {
  fileprivate static func damaged(_ source: String, _ key: String) -> SandboxFailure {
    SandboxFailure("\(source) is damaged: the record '\(key.excerpt)' cannot be read")
  }
}
