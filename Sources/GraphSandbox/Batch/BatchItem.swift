import JSONPath

/// One element of `batch`, decoded, with its references unresolved.
///
/// A class, because it has many parts: a copy would retain each of them.
final class BatchItem: Sendable {
  let name: String?
  /// The method in capitals; as received, if Graph has no such method.
  let methodText: String
  /// The address as the log shows it.
  let shownURL: String
  /// The address, with references as they are written.
  let url: RelativeURL
  /// The query's parameters as they are written, then the body's, which take precedence.
  let parameters: Parameters
  /// Whether a segment or a parameter refers to an earlier answer.
  let hasReferences: Bool
  /// The `access_token` field; a token in query or body takes precedence.
  let tokenField: String?
  let ifNoneMatch: String?
  /// The names of the multipart parts that the item attaches.
  let attachments: [String]
  /// The value of `depends_on`, and the names in it: one, unless lists are accepted
  /// (docs/internals/graph-api.md, decision 11).
  let dependsOn: (text: String, names: [String])?
  let omitsResponseOnSuccess: Bool
  /// The error of this item, which affects no other.
  let fault: GraphFault?

  /// Reads an element of `batch` (docs/internals/graph-api.md, Operations).
  ///
  /// Errors are kept in `fault` and do not affect other items.
  init(_ element: JSON.Document.Value, takesLists: Bool) {
    var (address, body, word): (JSON.Document.Value?, JSON.Document.Value?, String?)
    var (name, tokenField, ifNoneMatch): (String?, String?, String?)
    var attachments: [String] = []
    var dependsOn: (text: String, names: [String])?
    var (omitsResponseOnSuccess, isNested) = (true, false)
    let members = element.members
    // One pass, because most items have two of these members.
    for (key, value) in members ?? [] {
      switch key {
      case "relative_url": address = value
      case "method": word = value.parameterText
      case "body": body = value
      case "name": name = value.isNull ? nil : value.parameterText
      case "access_token": tokenField = value.string
      case "headers": ifNoneMatch = Self.ifNoneMatch(in: value.json)
      case "attached_files": attachments = Self.attachments(in: value.json)
      case "omit_response_on_success":
        omitsResponseOnSuccess =
          value.json.bool ?? !["false", "0"].contains(value.parameterText)
      case "depends_on" where !value.isNull:
        let text = value.parameterText
        dependsOn = (text, takesLists ? Self.names(in: value.json, text: text) : [text])
      case "batch": isNested = true
      default: break
      }
    }
    self.name = consume name
    self.tokenField = consume tokenField
    self.ifNoneMatch = consume ifNoneMatch
    self.attachments = consume attachments
    self.dependsOn = consume dependsOn
    self.omitsResponseOnSuccess = omitsResponseOnSuccess
    let text = address.map { $0.unescaped ?? Array($0.parameterText.utf8) } ?? []
    let url = RelativeURL(text[...])
    self.url = url
    shownURL = LoggedURL.text(text[...])
    var parameters = url.query
    if let form = body?.unescaped {
      parameters.append(form: form[...])
    } else if let fields = body?.json.object {
      // Not documented, but harmless to accept.
      for (name, value) in fields { parameters.append(name, value.parameterText) }
    }
    let method = word.map { GraphMethod($0) } ?? .get
    let override = method == nil ? nil : parameters["method"].flatMap(GraphMethod.init(_:))
    methodText = (override ?? method)?.rawValue ?? word ?? ""
    isNested = isNested || parameters.contains("batch")
    fault = isNested ? .nestedBatch : members == nil ? .operationNotAnObject : nil
    let (brace, percent) = (UInt8(ascii: "{"), UInt8(ascii: "%"))
    let mayHoldBraces = text.span.firstIndex(of: brace, or: percent, from: 0) < text.count
    hasReferences =
      mayHoldBraces && url.path.contains { ReferenceText($0).hasReferences }
      || parameters.hasBraces
        && parameters.members.contains { ReferenceText($0.value).hasReferences }
    self.parameters = parameters
  }

  /// nil for a method that Graph does not have.
  var method: GraphMethod? { GraphMethod(methodText) }

  var hasDependencies: Bool { hasReferences || dependsOn?.names.isEmpty == false }

  var scannedPath: [ReferenceText] { url.path.map { ReferenceText($0) } }

  var scannedParameters: [(name: String, value: ReferenceText)] {
    parameters.members.map { ($0.name, ReferenceText($0.value)) }
  }

  /// The names of all items that it depends on, in the order of its text; `depends_on` comes last.
  var dependencies: [String] {
    let names = dependsOn?.names ?? []
    guard hasReferences else { return names }
    return scannedPath.flatMap(\.names) + scannedParameters.flatMap(\.value.names) + names
  }
}

extension BatchItem {
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
    value.array?.map(\.parameterText) ?? splitAtCommas(text)
  }

  private static func splitAtCommas(_ names: String) -> [String] {
    names.utf8.split(separator: UInt8(ascii: ",")).map {
      String(decoding: $0, as: UTF8.self).trimmed
    }
  }

  private static func attachments(in value: JSON) -> [String] {
    switch value {
    case .string(let names): splitAtCommas(names)
    case .object(let members): members.names
    default: []
    }
  }
}

extension JSON.Document.Value {
  fileprivate var parameterText: String { string ?? json.parameterText }
}

extension JSON {
  /// The value as the text of a parameter: strings verbatim, null as empty text, others as JSON.
  ///
  /// Matches of references are inserted in this form (docs/internals/graph-api.md, decision 14).
  var parameterText: String {
    switch self {
    case .string(let text): text
    case .null: ""
    default: serialized()
    }
  }
}
