import JSONPath

/// An object of the world: its fields and what its edges hold.
struct GraphObject: Sendable {
  /// A place in which an object is listed.
  struct Listing: Hashable, Sendable {
    let id: String
    let edge: Edge
  }

  let id: String
  let type: NodeType
  /// The profile that published it; its own id for a profile.
  let owner: String
  /// Fields that have values; without `id` and without what is computed when read.
  var fields: JSON.Object
  var edges: [Edge: EdgeList] = [:]
  /// Where it is listed, so that deleting it takes it away there.
  var listings: [Listing] = []

  init(_ type: NodeType, id: String, owner: String? = nil, fields: JSON.Object) {
    self.id = id
    self.type = type
    self.owner = owner ?? id
    self.fields = fields
  }

  /// When it was made, in seconds since 1970; 0 if nothing tells.
  var created: Int {
    let text = fields["created_time"]?.string ?? fields["timestamp"]?.string
    return text.flatMap(GraphTime.seconds) ?? 0
  }

  var name: String? { fields["name"]?.string }
}
