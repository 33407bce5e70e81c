/// One element of `batch`, decoded; its references are still open.
///
/// A class, because it is handed on from function to function.
final class BatchItem: Sendable {
  /// A file that the item attaches.
  struct Attachment: Hashable, Sendable {
    /// The multipart part's name.
    var part: String
    /// The parameter that it stands for, where the item says so.
    var parameter: String?
  }

  /// What most items do not have.
  struct Details: Sendable {
    var name: String?
    /// As received, if there is no such method.
    var methodText: String?
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
  }

  /// What the element says; its texts are in a list.
  struct Draft: Sendable {
    var method: GraphMethod? = .get
    var version: String?
    var url: TextList.Place
    var path: Range<Int>
    var parameters: Range<Int>
    var queryCount = 0
    var hasReferences = false
    var details = Details()
  }

  private let draft: Draft
  private let texts: TextList

  init(_ draft: Draft, _ texts: TextList) {
    self.draft = draft
    self.texts = texts
  }

  /// nil for a method that Graph does not have.
  var method: GraphMethod? { draft.method }

  /// The version in the item's own path.
  var version: String? { draft.version }

  /// Whether a segment or a parameter points to an earlier answer.
  var hasReferences: Bool { draft.hasReferences }

  /// How many of the parameters came in the query; the others came in the body and count more.
  var queryCount: Int { draft.queryCount }

  var details: Details { draft.details }

  /// Whether it may wait for another item.
  var mayWait: Bool { hasReferences || !details.dependencies.isEmpty }

  var name: String? { details.name }

  var methodText: String { method?.rawValue ?? details.methodText ?? "" }

  /// As received; for the log.
  var relativeURL: String { texts[draft.url] }

  /// The segments as they are written.
  var path: ResourcePath { ResourcePath(draft.path.lazy.map { [texts] in texts[$0] }) }

  /// The segments with what they point to.
  var openPath: [ReferenceText] { draft.path.map { ReferenceText(texts[$0]) } }

  /// The parameters as they are written.
  var parameters: Parameters { Parameters(texts, draft.parameters) }

  /// The parameters with what they point to.
  var openParameters: [(name: String, value: ReferenceText)] {
    parameters.members.map { ($0.name, ReferenceText($0.value)) }
  }

  /// All names that the item waits for, in the order of its text; `depends_on` comes last.
  var awaited: [String] {
    guard hasReferences else { return details.dependencies }
    return openPath.flatMap(\.names) + openParameters.flatMap(\.value.names)
      + details.dependencies
  }
}
