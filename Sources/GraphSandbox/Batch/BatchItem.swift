/// One element of `batch`, decoded; its references are still open.
struct BatchItem: Sendable {
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

  /// What a batch says.
  ///
  /// A class, because each of its items refers to it.
  final class Source: Sendable {
    fileprivate let texts: TextList
    /// By the items' places in the batch.
    fileprivate let details: [Int: Details]

    init(_ texts: TextList, _ details: [Int: Details]) {
      self.texts = texts
      self.details = details
    }
  }

  private let source: Source
  private let draft: Draft

  private static let none = Details()

  init(_ draft: Draft, of source: Source) {
    self.draft = draft
    self.source = source
  }

  private var texts: TextList { source.texts }

  /// nil for a method that Graph does not have.
  var method: GraphMethod? { draft.method }

  var version: String? { draft.version }

  /// Whether a segment or a parameter points to an earlier answer.
  var hasReferences: Bool { draft.hasReferences }

  /// How many of the parameters came in the query; the others came in the body and count more.
  var queryCount: Int { draft.queryCount }

  var details: Details {
    guard draft.hasDetails else { return Self.none }
    return source.details[draft.index] ?? Self.none
  }

  var name: String? { details.name }

  var methodText: String { draft.method?.rawValue ?? details.methodText ?? "" }

  /// As received; for the log.
  var relativeURL: String { texts[draft.url] }

  /// The decoded segments as they are written.
  var path: ResourcePath { ResourcePath(draft.path.lazy.map { texts[$0] }) }

  /// As they are written.
  var parameters: Parameters { Parameters(texts, draft.parameters) }

  /// The segments with what they point to.
  var openPath: [ReferenceText] { draft.path.map { ReferenceText(texts[$0]) } }

  /// The parameters with what they point to.
  var openParameters: [(name: String, value: ReferenceText)] {
    parameters.members.map { ($0.name, ReferenceText($0.value)) }
  }

  /// All names that the item waits for, in the order of its text; `depends_on` comes last.
  var awaited: [String] {
    let dependencies = details.dependencies
    guard hasReferences else { return dependencies }
    return openPath.flatMap(\.names) + openParameters.flatMap(\.value.names) + dependencies
  }
}

extension BatchItem {
  /// Where a batch says what of an item.
  struct Draft: Sendable {
    /// The place in the batch.
    let index: Int
    var method: GraphMethod? = .get
    var version: String?
    var url: TextList.Place
    var path: Range<Int>
    var parameters: Range<Int>
    var queryCount = 0
    var hasReferences = false
    var hasDetails = false
  }
}
