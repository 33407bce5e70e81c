import JSONPath

/// One element of `batch`, decoded; its references are still open.
struct BatchItem: Sendable {
  var name: String?
  /// nil for a method that Graph does not have.
  var method: GraphMethod? = .get
  /// The method in capitals; as received, if there is no such method.
  var methodText: String { method?.rawValue ?? receivedMethod }
  /// The version in the item's own path.
  let version: String?
  /// As received; for the log.
  let relativeURL: String
  /// The segments as they are written.
  let path: [String]
  /// The parameters as they are written.
  var parameters: Parameters
  /// How many of the parameters came in the query; the others came in the body and count more.
  let queryCount: Int
  /// Whether a segment or a parameter points to an earlier answer.
  private(set) var hasReferences = false
  /// The `access_token` field; query and body come first.
  let tokenField: String?
  let ifNoneMatch: String?
  /// The names of the multipart parts that the item attaches.
  let attachments: [String]
  var dependsOn: String?
  /// The names in it: one, unless lists are taken (docs/internals/graph-api.md, decision 11).
  var dependencies: [String] = []
  var omitsResponseOnSuccess = true
  /// What is wrong with this item alone.
  var fault: GraphFault?
  private var receivedMethod = ""

  /// Whether it may wait for another item.
  var mayWait: Bool { hasReferences || !dependencies.isEmpty }

  /// The segments with what they point to.
  var openPath: [ReferenceText] { path.map { ReferenceText($0) } }

  /// The parameters with what they point to.
  var openParameters: [(name: String, value: ReferenceText)] {
    parameters.members.map { ($0.name, ReferenceText($0.value)) }
  }

  /// All names that the item waits for, in the order of its text; `depends_on` comes last.
  var awaited: [String] {
    guard hasReferences else { return dependencies }
    return openPath.flatMap(\.names) + openParameters.flatMap(\.value.names) + dependencies
  }
}

extension BatchItem {
  /// Reads an element of `batch` (docs/internals/graph-api.md, Operations).
  ///
  /// What is wrong with it belongs to the item alone.
  init(_ element: JSON.Document.Value, takesLists: Bool) {
    let address = element["relative_url"]
    relativeURL = address?.parameterText ?? ""
    let url = RelativeURL(relativeURL)
    version = url.version
    path = url.path
    parameters = url.query
    queryCount = parameters.members.count
    tokenField = element["access_token"]?.string
    ifNoneMatch = element["headers"].flatMap { Self.ifNoneMatch(in: $0.json) }
    attachments = element["attached_files"].map { Self.attachments(in: $0.json) } ?? []
    if let name = element["name"], !name.isNull { self.name = name.parameterText }
    if let omission = element["omit_response_on_success"] {
      omitsResponseOnSuccess =
        omission.json.bool ?? !["false", "0"].contains(omission.parameterText)
    }
    if let awaited = element["depends_on"], !awaited.isNull {
      let text = awaited.parameterText
      dependsOn = text
      dependencies = takesLists ? Self.names(in: awaited.json, text: text) : [text]
    }
    switch element["body"]?.json {
    case .string(let text)?: parameters.append(form: Array(text.utf8)[...])
    case .object(let members)?:
      // Not documented; harmless to take.
      for (name, value) in members { parameters.append(name, value.parameterText) }
    default: break
    }
    if let text = element["method"]?.parameterText {
      method = GraphMethod(text)
      receivedMethod = text
    }
    if method == .post, let override = parameters["method"].flatMap(GraphMethod.init(_:)) {
      method = override
    }
    if address == nil, element.members == nil { fault = .operationNotAnObject }
    if element["batch"] != nil || parameters.contains("batch") { fault = .nestedBatch }
    hasReferences =
      path.contains { ReferenceText($0).isOpen }
      || parameters.members.contains { ReferenceText($0.value).isOpen }
  }

  /// Reads the three shapes of `headers` in use (docs/internals/graph-api.md, decision 25).
  private static func ifNoneMatch(in headers: JSON) -> String? {
    let wanted = "if-none-match"
    switch headers {
    case .array(let elements):
      for element in elements {
        switch element {
        case .string(let line):
          guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { continue }
          guard String(line[..<colon]).trimmed.lowercased() == wanted else { continue }
          return String(line[line.utf8.index(after: colon)...]).trimmed
        default:
          guard element["name"]?.string?.lowercased() == wanted else { continue }
          return element["value"]?.string
        }
      }
      return nil
    case .object(let members):
      return members.members.first { $0.name.lowercased() == wanted }?.value.string
    default: return nil
    }
  }

  private static func names(in value: JSON, text: String) -> [String] {
    if let elements = value.array { return elements.map(\.parameterText) }
    return text.utf8.split(separator: UInt8(ascii: ",")).map {
      String(decoding: $0, as: UTF8.self).trimmed
    }
  }

  private static func attachments(in value: JSON) -> [String] {
    switch value {
    case .string(let names):
      names.utf8.split(separator: UInt8(ascii: ",")).map {
        String(decoding: $0, as: UTF8.self).trimmed
      }
    case .object(let members): members.names
    default: []
    }
  }
}

extension JSON.Document.Value {
  fileprivate var parameterText: String { string ?? json.parameterText }
}

extension JSON {
  /// The value as the text of a parameter: strings as they are, null as nothing, the rest as JSON.
  ///
  /// Also how a reference's match is put in (docs/internals/graph-api.md, decision 14).
  var parameterText: String {
    switch self {
    case .string(let text): text
    case .null: ""
    default: serialized()
    }
  }
}
