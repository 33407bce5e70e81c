/// One element of `batch`, decoded; its references are still open.
struct BatchItem: Sendable {
  /// A file that the item attaches.
  struct Attachment: Hashable, Sendable {
    /// The multipart part's name.
    var part: String
    /// The parameter that it stands for, where the item says so.
    var parameter: String?
  }

  var name: String?
  /// nil for a method that Graph does not have; `methodText` holds it.
  var method: GraphMethod? = .get
  var methodText = "GET"
  /// As received; for the log.
  var relativeURL = ""
  var version: String?
  var segments: [ReferenceText] = []
  var parameters: [(name: String, value: ReferenceText)] = []
  /// How many of `parameters` came in the query; the others came in the body and count more.
  var queryCount = 0
  /// The `access_token` field; query and body come first.
  var tokenField: String?
  var ifNoneMatch: String?
  var attachments: [Attachment] = []
  var dependsOn: String?
  /// The names in it: one, unless lists are taken (docs/graph-api.md, decision 11).
  var dependencies: [String] = []
  var omitsResponseOnSuccess = true
  /// What is wrong with this item alone.
  var fault: GraphFault?

  /// All names that the item waits for, in the order of its text; `depends_on` comes last.
  var awaited: [String] {
    var names: [String] = []
    for segment in segments { names.append(contentsOf: segment.names) }
    for parameter in parameters { names.append(contentsOf: parameter.value.names) }
    return names + dependencies
  }
}
