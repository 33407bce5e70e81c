import JSONPath

/// The result of an operation, before version, tag and headers are added.
struct Outcome: Sendable {
  var status = 200
  /// JSON text; empty without a body.
  var body: [UInt8] = []
  var location: String?
  var isInvented = false
  /// The new object, if the request may name fields of it to show in place of the body.
  var created: GraphObject?

  static let success = Outcome(["success": true])
}

extension Outcome {
  /// A result with a JSON body.
  init(_ json: JSON, isInvented: Bool = false) {
    self.isInvented = isInvented
    GraphText.append(json, to: &body)
  }

  /// Adds `__debug__` to the body if the request has `debug` and the body is an object
  /// (docs/internals/graph-api.md, Reading).
  mutating func addDebug(_ request: GraphRequest, _ warnings: [String]) {
    guard let level = request.parameters["debug"], ["all", "info", "warning"].contains(level),
      body.first == UInt8(ascii: "{"), body.popLast() == UInt8(ascii: "}")
    else { return }
    if body.count > 1 { body.append(UInt8(ascii: ",")) }
    body.append(contentsOf: "\"__debug__\":".utf8)
    let messages = (level == "info" ? [] : warnings).map { text -> JSON in
      [
        "link": "https://developers.facebook.com/docs/graph-api/guides/debugging",
        "message": .string(text), "type": "warning",
      ]
    }
    GraphText.append(messages.isEmpty ? [:] : ["messages": .array(messages)], to: &body)
    body.append(UInt8(ascii: "}"))
  }

  /// The answer with a version and headers.
  func answer(
    to request: GraphRequest, _ version: String, _ usage: UsageHeaders, isTagged: Bool
  ) -> Answer {
    let tag = isTagged && !body.isEmpty ? EntityTag.text(of: body) : nil
    let isKnown =
      tag.flatMap { tag in
        request.ifNoneMatch.map { EntityTag.list($0, contains: tag) }
      } ?? false
    return Answer(
      status: isKnown ? 304 : status, body: body.isEmpty || isKnown ? nil : body, version: version,
      etag: tag, location: location, usage: usage, isInvented: isInvented)
  }
}

/// The result of executing an operation.
struct Execution {
  /// The answer; nil: a `null` item.
  var answer: Answer?
  /// The fault that was injected.
  var fault: String?
  /// Whether it was executed successfully.
  var isApplied: Bool
}
