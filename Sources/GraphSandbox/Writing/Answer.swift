import Crypto
import JSONPath

/// The answer to an operation, before it becomes a batch item or an HTTP answer.
struct Answer: Sendable {
  var status = 200
  /// JSON text in ASCII; empty without a body (304, 302).
  var body: [UInt8] = []
  /// The version that answered.
  var version = ""
  /// Quoted, as in the header; absent on errors and writes.
  private(set) var etag: String?
  var location: String?
  /// The code of its error, followed by the subcode if there is one: `190/463`.
  private(set) var errorCode: String?
  /// The value of `WWW-Authenticate`.
  private(set) var challenge: String?
  var usage = UsageHeaders.omitted
  /// Whether a part of it is invented; a header then marks it.
  var isInvented = false
  /// The id of a new object, if the request may name fields of it to show in place of the body.
  var created: String?

  var hasSucceeded: Bool { status < 400 }

  static let success = Answer(["success": true])

  init(status: Int = 200, body: [UInt8] = [], location: String? = nil, isInvented: Bool = false) {
    self.status = status
    self.body = body
    self.location = location
    self.isInvented = isInvented
  }

  /// An answer with a JSON body.
  init(_ json: JSON, isInvented: Bool = false) {
    self.isInvented = isInvented
    GraphText.append(json, to: &body)
  }

  /// The answer that carries an error.
  init(_ fault: GraphFault, version: String, usage: UsageHeaders, traceID: String) {
    self.init(fault.json(traceID: fault.isTraced ? traceID : nil), isInvented: fault.isInvented)
    status = fault.status
    self.version = version
    self.usage = usage
    let codes = [fault.code, fault.subcode].compactMap(\.self).map { String($0) }
    errorCode = codes.isEmpty ? fault.type : codes.joined(separator: "/")
    challenge =
      "OAuth \"Facebook Platform\" \"\(fault.challenge)\" \"\(fault.message.headerSafe)\""
  }

  /// Adds the body's tag; if the client has the same body already, the answer becomes 304.
  mutating func addTag(unless known: String?) {
    guard !body.isEmpty else { return }
    let tag = EntityTag.text(of: body)
    etag = tag
    if known.map({ EntityTag.list($0, contains: tag) }) ?? false { (status, body) = (304, []) }
  }

  /// Adds `__debug__` to the body if the request has `debug` and the body is an object
  /// (docs/internals/graph-api.md, Reading).
  mutating func addDebug(_ request: GraphRequest, _ warnings: [String]) {
    guard let level = request.parameters["debug"], ["all", "info", "warning"].contains(level),
      body.first == UInt8(ascii: "{"), body.popLast() == UInt8(ascii: "}")
    else { return }
    GraphText.appendName("__debug__", to: &body)
    let messages = (level == "info" ? [] : warnings).map { text -> JSON in
      [
        "link": "https://developers.facebook.com/docs/graph-api/guides/debugging",
        "message": .string(text), "type": "warning",
      ]
    }
    GraphText.append(messages.isEmpty ? [:] : ["messages": .array(messages)], to: &body)
    body.append(UInt8(ascii: "}"))
  }
}

/// ETags: the SHA-1 of the body, in hexadecimal, in quotes (docs/internals/graph-api.md,
/// decision 37).
enum EntityTag {
  static func text(of body: [UInt8]) -> String {
    "\"\(Hexadecimal.text(of: Insecure.SHA1.hash(data: body)))\""
  }

  /// Whether the value of `If-None-Match` matches the tag (RFC 9110 §13.1.2).
  static func list(_ value: String, contains tag: String) -> Bool {
    value.listed.contains { ["*", tag, "W/" + tag].contains($0) }
  }
}

extension String {
  /// The text for a header: printable ASCII without quotes.
  ///
  /// Messages quote what the client sent; a line break there must not become a header.
  fileprivate var headerSafe: String {
    String(
      decoding: utf8.map {
        (32..<127).contains($0) && $0 != UInt8(ascii: "\"") ? $0 : UInt8(ascii: " ")
      }, as: UTF8.self)
  }
}
