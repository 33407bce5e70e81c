import JSONPath

/// Reads the elements of `batch` one by one (docs/graph-api.md, Operations).
struct BatchReader {
  private let document: JSON.Document
  private let takesLists: Bool
  /// What the elements say, straight from the JSON: one memory for all of them.
  private var texts = TextList()

  init(_ document: JSON.Document, takesLists: Bool) {
    self.document = document
    self.takesLists = takesLists
  }

  /// The entries of the members that count.
  private struct Members {
    var url: Int?
    var body: Int?
    var method: Int?
    var headers: Int?
    var files: Int?
    var dependsOn: Int?
    var isNested = false
    var details = BatchItem.Details()
  }

  /// Reads the elements that begin at these entries.
  mutating func items(_ elements: [Int]) -> [BatchItem] {
    // Items share the memory of their texts, so all texts come first.
    let drafts = elements.map { draft(of: $0) }
    return drafts.map { BatchItem($0, texts) }
  }

  /// Reads one element; what is wrong belongs to the item alone.
  private mutating func draft(of element: Int) -> BatchItem.Draft {
    var members = Members()
    // Closures would hold, and copy, all of the reader.
    let document = document
    let isObject = document.forEachMember(of: element) { name, value in
      Self.note(name, value, of: document, in: &members)
    }
    var draft = address(at: members.url)
    draft.details = members.details
    if !isObject { draft.details.fault = .operationNotAnObject }
    if let method = members.method {
      let text = parameterText(at: method)
      draft.method = GraphMethod(text)
      if draft.method == nil { draft.details.methodText = text }
    }
    if let headers = members.headers {
      draft.details.ifNoneMatch = Self.ifNoneMatch(in: document.value(at: headers))
    }
    if let files = members.files {
      draft.details.attachments = Self.attachments(in: document.value(at: files))
    }
    if let dependsOn = members.dependsOn.map(document.value(at:)), !dependsOn.isNull {
      let text = dependsOn.parameterText
      draft.details.dependsOn = text
      draft.details.dependencies = takesLists ? Self.names(in: dependsOn, text: text) : [text]
    }
    readBody(members.body, into: &draft)
    if members.isNested || hasBatch(draft.parameters) { draft.details.fault = .nestedBatch }
    return draft
  }

  /// Whether names and values that stand by turns hold a batch.
  private func hasBatch(_ parameters: Range<Int>) -> Bool {
    for index in stride(from: parameters.lowerBound, to: parameters.upperBound, by: 2)
    where texts.isText(at: index, "batch") {
      return true
    }
    return false
  }

  private static func note(
    _ name: Int,
    _ value: Int,
    of document: JSON.Document,
    in members: inout Members
  ) {
    switch document.text(at: name) {
    case "relative_url": members.url = value
    case "method": members.method = value
    case "body": members.body = value
    case "headers": members.headers = value
    case "attached_files": members.files = value
    case "depends_on": members.dependsOn = value
    case "batch": members.isNested = true
    case "name":
      let value = document.value(at: value)
      members.details.name = value.isNull ? nil : value.parameterText
    case "access_token": members.details.tokenField = document.text(at: value)
    case "omit_response_on_success":
      let value = document.value(at: value)
      members.details.omitsResponseOnSuccess =
        value.bool ?? !["false", "0"].contains(value.parameterText)
    default: break
    }
  }

  private mutating func address(at entry: Int?) -> BatchItem.Draft {
    if let entry, let plain = document.plainText(at: entry) {
      return address(plain, of: document.text)
    }
    let text = Array((entry.map { parameterText(at: $0) } ?? "").utf8)
    return address(text.indices, of: text)
  }

  private mutating func address(_ range: Range<Int>, of source: [UInt8]) -> BatchItem.Draft {
    let url = texts.store(source[range])
    let parts = texts.append(url: range, of: source)
    return BatchItem.Draft(
      version: parts.version,
      url: url,
      path: parts.path,
      parameters: parts.query,
      queryCount: parts.query.count / 2
    )
  }

  private mutating func readBody(_ entry: Int?, into draft: inout BatchItem.Draft) {
    if let entry {
      if let plain = document.plainText(at: entry) {
        texts.append(form: plain, of: document.text)
      } else {
        switch document.value(at: entry) {
        case .string(let text):
          let text = Array(text.utf8)
          texts.append(form: text.indices, of: text)
        case .object(let members):
          // Not documented; harmless to take.
          for (name, value) in members.members {
            texts.append(name)
            texts.append(value.parameterText)
          }
        default: break
        }
      }
      draft.parameters = draft.parameters.lowerBound..<texts.count
    }
    if draft.method == .post, let word = Parameters(texts, draft.parameters)["method"],
      let method = GraphMethod(word)
    {
      draft.method = method
    }
    draft.hasReferences = hasReferences(draft)
  }

  private func hasReferences(_ draft: BatchItem.Draft) -> Bool {
    for segment in draft.path where pointsElsewhere(segment) { return true }
    // Names and values stand by turns.
    let values = stride(
      from: draft.parameters.lowerBound + 1,
      to: draft.parameters.upperBound,
      by: 2
    )
    for value in values where pointsElsewhere(value) { return true }
    return false
  }

  private func pointsElsewhere(_ index: Int) -> Bool {
    texts.contains(UInt8(ascii: "{"), at: index) && ReferenceText(texts[index]).isOpen
  }

  private func parameterText(at entry: Int) -> String {
    document.text(at: entry) ?? document.value(at: entry).parameterText
  }
}

extension BatchReader {
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

  private static func names(in value: JSON, text: String) -> [String] {
    if let elements = value.array { return elements.map(\.parameterText) }
    return text.utf8.split(separator: UInt8(ascii: ",")).map {
      String(decoding: $0, as: UTF8.self).trimmed
    }
  }

  private static func attachments(in value: JSON) -> [BatchItem.Attachment] {
    switch value {
    case .string(let names):
      names.utf8.split(separator: UInt8(ascii: ",")).map {
        .init(part: String(decoding: $0, as: UTF8.self).trimmed)
      }
    case .object(let members):
      members.members.map { .init(part: $0.name, parameter: $0.value.string) }
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
