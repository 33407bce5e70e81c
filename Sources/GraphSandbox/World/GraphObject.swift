import JSONPath

/// An object of the world: its fields, and the lists that hold it.
struct GraphObject: Sendable {
  /// An edge whose list holds the object.
  struct Listing: Hashable, Sendable {
    let id: String
    let edge: Edge
  }

  let id: String
  let type: NodeType
  /// The profile that published it; its own id for a profile.
  let owner: String
  /// The fields with stored values; without `id` and without computed fields.
  var fields: StoredFields
  /// The lists that hold it; deleting the object removes it from them.
  var listings: [Listing] = []

  init(_ type: NodeType, id: String, owner: String? = nil, fields: JSON.Object) {
    self.id = id
    self.type = type
    self.owner = owner ?? id
    self.fields = StoredFields(fields)
  }

  /// When it was created, in seconds since 1970; 0 if unknown.
  var created: Int {
    let text = fields["created_time"]?.string ?? fields["timestamp"]?.string
    return text.flatMap(GraphTime.seconds) ?? 0
  }

  /// The address of its image: the sandbox's own, so that it can be downloaded.
  func picture(at origin: String) -> String {
    "\(origin)\(Self.pictures)\(id).jpg"
  }

  /// The path of images at the sandbox.
  static let pictures = "/\(Logins.controlSegment)/\(PageRequest.pictures)/"

  var name: String? { fields["name"]?.string }

  /// The present `status_code` of an Instagram container.
  func containerStatus(at now: Int) -> String {
    if fields["is_published"]?.bool == true { return "PUBLISHED" }
    let finished = fields["finished_at"]?.integer ?? 0
    guard now >= finished else { return "IN_PROGRESS" }
    // A container expires after 24 hours.
    return now < finished + 86_400 ? "FINISHED" : "EXPIRED"
  }
}
