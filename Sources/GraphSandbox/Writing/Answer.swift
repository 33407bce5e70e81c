import Crypto
import JSONPath

/// The answer to an operation, before it becomes a batch item or an HTTP answer.
///
/// It is handed on, never copied: a copy would retain all its parts.
struct Answer: ~Copyable, Sendable {
  var status = 200
  /// JSON text in ASCII; empty without a body (304, 302).
  var body: [UInt8] = []
  /// The version that answered.
  var version = ""
  /// Absent on errors and writes.
  private(set) var etag: EntityTag?
  var usage = UsageHeaders.none
  /// Where it may differ from Graph's.
  var note = SandboxNote()
  var outcome = Outcome.done

  /// What only some answers have.
  enum Outcome: Sendable {
    case done
    /// The id of a new object, if the request may name fields of it to show in place of the body.
    case created(String)
    case redirected(String)
    /// The code of the error, followed by the subcode if there is one: `190/463`; the value of
    /// `WWW-Authenticate`.
    indirect case failed(code: String, challenge: String)
  }

  var hasSucceeded: Bool { status < 400 }

  var location: String? { if case .redirected(let location) = outcome { location } else { nil } }

  var errorCode: String? { if case .failed(let code, _) = outcome { code } else { nil } }

  var challenge: String? { if case .failed(_, let challenge) = outcome { challenge } else { nil } }

  static var success: Answer { Answer(["success": true]) }

  init(status: Int = 200, body: [UInt8] = [], location: String? = nil, note: SandboxNote = .init())
  {
    self.status = status
    self.body = body
    if let location { outcome = .redirected(location) }
    self.note = note
  }

  /// An answer with a JSON body.
  init(_ json: JSON, note: SandboxNote = .init()) {
    self.note = note
    GraphText.append(json, to: &body)
  }

  /// The answer that carries an error.
  init(_ fault: GraphFault, version: String, usage: UsageHeaders, traceID: String) {
    self.init(fault.json(traceID: fault.isTraced ? traceID : nil), note: fault.note)
    status = fault.status
    self.version = version
    self.usage = usage
    let codes = [fault.code, fault.subcode].compactMap(\.self).map { String($0) }
    outcome = .failed(
      code: codes.isEmpty ? fault.type : codes.joined(separator: "/"),
      challenge:
        "OAuth \"Facebook Platform\" \"\(fault.challenge)\" \"\(fault.message.headerSafe)\"")
  }

  /// Adds the body's tag; if the client has the same body already, the answer becomes 304.
  mutating func addTag(unless known: String?) {
    guard !body.isEmpty else { return }
    let tag = EntityTag(of: body)
    etag = tag
    if known.map({ tag.isListed(in: $0) }) ?? false { (status, body) = (304, []) }
  }

  /// Leaves the memory of its body, once it is written, to the next one, unless it is large.
  mutating func leaveMemory(to next: inout [UInt8]) {
    guard body.capacity > next.capacity, body.capacity <= 1 << 16 else { return }
    swap(&body, &next)
    next.removeAll(keepingCapacity: true)
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

/// An ETag: the SHA-1 of the body (docs/internals/graph-api.md, decision 37).
struct EntityTag: Sendable {
  let digest: Insecure.SHA1Digest

  init(of body: [UInt8]) {
    var hash = Insecure.SHA1()
    body.withUnsafeBytes { hash.update(bufferPointer: $0) }
    digest = hash.finalize()
  }

  /// In hexadecimal, in quotes, as in the header.
  var text: String { "\"\(Hexadecimal.text(of: digest))\"" }

  /// Whether the value of `If-None-Match` matches the tag (RFC 9110 §13.1.2).
  func isListed(in value: String) -> Bool {
    value.listed.contains { ["*", text, "W/" + text].contains($0) }
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
