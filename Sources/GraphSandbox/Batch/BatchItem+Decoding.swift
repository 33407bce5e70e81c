import JSONPath

extension BatchItem {
  /// Reads an element of `batch`; a fault belongs to the item alone (docs/graph-api.md,
  /// Operations).
  init(_ json: JSON, takesLists: Bool) {
    guard let members = json.object else {
      fault = .operationNotAnObject
      return
    }
    for (name, value) in members.members { read(name, value) }
    if let dependsOn {
      dependencies = [dependsOn]
      if takesLists { dependencies = Self.names(in: members["depends_on"], text: dependsOn) }
    }
    read(url: relativeURL, body: members["body"])
    if members["batch"] != nil || parameters.contains(where: { $0.name == "batch" }) {
      fault = .nestedBatch
    }
  }

  private mutating func read(_ name: String, _ value: JSON) {
    switch name {
    case "name": self.name = value.isNull ? nil : value.parameterText
    case "method":
      methodText = value.parameterText
      method = GraphMethod(methodText)
    case "relative_url": relativeURL = value.parameterText
    case "access_token": tokenField = value.string
    case "headers": ifNoneMatch = Self.ifNoneMatch(in: value)
    case "attached_files": attachments = Self.attachments(in: value)
    case "depends_on": dependsOn = value.isNull ? nil : value.parameterText
    case "omit_response_on_success":
      omitsResponseOnSuccess = value.bool ?? !["false", "0"].contains(value.parameterText)
    default: break
    }
  }

  private mutating func read(url: String, body: JSON?) {
    let url = RelativeURL(url)
    version = url.version
    segments = url.segments.map { ReferenceText($0) }
    parameters = url.query.members.map { ($0.name, ReferenceText($0.value)) }
    queryCount = parameters.count
    switch body {
    case .string(let text)?:
      parameters += Parameters(form: text.utf8).members.map { ($0.name, ReferenceText($0.value)) }
    case .object(let members)?:
      // Not documented; harmless to take.
      parameters += members.members.map { ($0.name, ReferenceText($0.value.parameterText)) }
    default: break
    }
    if method == .post, let override = parameters.last(where: { $0.name == "method" }),
      case .plain(let word) = override.value, let method = GraphMethod(word)
    {
      self.method = method
    }
  }

  /// Reads the three shapes of `headers` in use (docs/graph-api.md, decision 25).
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

  private static func names(in value: JSON?, text: String) -> [String] {
    if let elements = value?.array { return elements.map(\.parameterText) }
    return text.utf8.split(separator: UInt8(ascii: ",")).map {
      String(decoding: $0, as: UTF8.self).trimmed
    }
  }

  private static func attachments(in value: JSON) -> [Attachment] {
    switch value {
    case .string(let names):
      names.utf8.split(separator: UInt8(ascii: ",")).map {
        Attachment(part: String(decoding: $0, as: UTF8.self).trimmed)
      }
    case .object(let members):
      members.members.map { Attachment(part: $0.name, parameter: $0.value.string) }
    default: []
    }
  }
}

extension JSON {
  /// The value as the text of a parameter: strings as they are, null as nothing, the rest as JSON.
  ///
  /// Also how a reference's match is put in (docs/graph-api.md, decision 14).
  var parameterText: String {
    switch self {
    case .string(let text): text
    case .null: ""
    default: serialized()
    }
  }
}
