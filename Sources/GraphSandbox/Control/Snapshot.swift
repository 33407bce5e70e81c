package import JSONPath

/// A world as one document of JSON: objects, tokens, permissions and the time, as a store keeps them.
package struct Snapshot: Sendable {
  /// The member with the version of the format.
  private static let versionKey = "graphflow-snapshot"

  let json: JSON

  /// Reads a document.
  ///
  /// - Throws: ``SandboxFailure`` if it is no snapshot, or holds records that no world has written.
  package init(_ json: JSON) throws {
    guard json[Self.versionKey]?.integer == 1, json["records"]?.object != nil else {
      throw SandboxFailure("this is no snapshot: it has no member '\(Self.versionKey)': 1")
    }
    self.json = json
    var world = World(seed: 0, now: 0)
    try world.restore(from: self)
  }

  /// Takes a snapshot; the same world gives the same bytes.
  init(of world: World) {
    let records = JSON.Object(world.records.sorted { $0.key < $1.key })
    json = [Self.versionKey: 1, "records": .object(records)]
  }

  var records: JSON.Object { json["records"]?.object ?? [:] }
}
