/// One element of `batch`, decoded; its references are still open.
///
/// A class, because the same operation may stand in many batches (``KnownOperations``).
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

  /// Most items share one that holds nothing.
  private final class DetailsBox: Sendable {
    let details: Details

    init(_ details: Details) { self.details = details }

    static let empty = DetailsBox(Details())
  }

  /// What the item's address and body come to.
  struct Draft {
    var method: GraphMethod? = .get
    var version: String?
    var url: TextList.Place
    var path: Range<Int>
    var parameters: Range<Int>
    var queryCount = 0
    var hasReferences = false
  }

  /// nil for a method that Graph does not have.
  let method: GraphMethod?
  /// The version in the item's own path.
  let version: String?
  /// Whether a segment or a parameter points to an earlier answer.
  let hasReferences: Bool
  /// How many of the parameters came in the query; the others came in the body and count more.
  let queryCount: Int
  private let box: DetailsBox
  /// What is asked for, if nothing in the batch decides on it.
  let request: GraphRequest?
  private let texts: TextList
  private let url: TextList.Place
  private let pathRange: Range<Int>
  private let parameterRange: Range<Int>
  /// What the item was read from, if it is kept for other batches.
  let kept: Source?
  /// Whether it goes by its call's token, and no other item of its batch has to do with it.
  let isPlain: Bool

  /// What an item is read from: nothing else decides on it.
  struct Source: Sendable {
    /// The element of the batch as received.
    let text: [UInt8]
    /// The version in the call's path.
    let version: String?
  }

  /// Makes an item of a call whose path has a version, or none.
  init(
    _ draft: Draft,
    _ given: Details?,
    _ texts: TextList,
    in version: String?,
    kept: Source?
  ) {
    self.kept = kept
    method = draft.method
    self.version = draft.version
    hasReferences = draft.hasReferences
    queryCount = draft.queryCount
    box = given.map(DetailsBox.init) ?? .empty
    let details = box.details
    self.texts = texts
    url = draft.url
    pathRange = draft.path
    parameterRange = draft.parameters
    guard let method = draft.method, !draft.hasReferences, details.fault == nil,
      details.attachments.isEmpty
    else {
      request = nil
      isPlain = false
      return
    }
    let request = GraphRequest(
      method,
      version: draft.version ?? version,
      path: ResourcePath(draft.path.map { texts[$0] }),
      parameters: Parameters(texts, draft.parameters),
      details,
      isKept: kept != nil
    )
    self.request = request
    isPlain =
      details.name == nil && details.dependencies.isEmpty && request.token == nil
      && !request.isLogin && !request.parameters.contains("appsecret_proof")
  }

  /// Whether it may wait for another item.
  var mayWait: Bool { hasReferences || !box.details.dependencies.isEmpty }

  var details: Details { box.details }

  var name: String? { box.details.name }

  var methodText: String { method?.rawValue ?? details.methodText ?? "" }

  /// As received; for the log.
  var relativeURL: String { texts[url] }

  /// The segments with what they point to.
  var openPath: [ReferenceText] { pathRange.map { ReferenceText(texts[$0]) } }

  /// The parameters as they are written.
  var parameters: Parameters { Parameters(texts, parameterRange) }

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

extension GraphRequest {
  /// What an item asks for once nothing in it is open.
  convenience init(
    _ method: GraphMethod,
    version: String?,
    path: ResourcePath,
    parameters: Parameters,
    _ details: BatchItem.Details,
    files: [UploadedFile] = [],
    isKept: Bool = false
  ) {
    self.init(
      method: method,
      version: version,
      path: path,
      parameters: parameters,
      token: parameters["access_token"] ?? details.tokenField,
      ifNoneMatch: details.ifNoneMatch,
      files: files,
      wantsHeaders: parameters.flag("include_headers") ?? true,
      isKept: isKept
    )
  }
}
