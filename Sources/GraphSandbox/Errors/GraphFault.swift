import JSONPath

/// An error of an answer: Graph's error object and the HTTP status.
///
/// See docs/internals/graph-api.md, Errors; the statuses follow its decision 18.
struct GraphFault: Error, Hashable, Sendable {
  /// The HTTP status, or an item's code.
  var status: Int
  var message: String
  var type: String
  /// Absent on `GraphBatchException` and on a few old errors.
  var code: Int?
  var subcode: Int?
  var isTransient: Bool?
  var userTitle: String?
  var userMessage: String?
  /// Values for programs.
  var data: JSON?
  /// Whether the object has an `fbtrace_id`; errors of whole batches have none.
  var isTraced = true
  /// Where it may differ from Graph's.
  var note = SandboxNote()

  init(_ message: String, type: String = "OAuthException", code: Int? = nil, subcode: Int? = nil) {
    status = Self.status(for: code)
    self.message = message
    self.type = type
    self.code = code
    self.subcode = subcode
  }

  /// An error whose message begins with its code, as most do.
  static func numbered(_ code: Int, _ text: String, subcode: Int? = nil) -> GraphFault {
    GraphFault("(#\(code)) \(text)", code: code, subcode: subcode)
  }

  static func ofMethod(_ message: String, subcode: Int? = nil) -> GraphFault {
    GraphFault(message, type: "GraphMethodException", code: 100, subcode: subcode)
  }

  func with<Value>(_ part: WritableKeyPath<GraphFault, Value>, _ value: Value) -> GraphFault {
    var fault = self
    fault[keyPath: part] = value
    return fault
  }

  /// The same error, with an invented text, because Graph's is unknown.
  var invented: GraphFault { with(\.note.isInvented, true) }

  /// The same error, where Graph would have served the request.
  var unserved: GraphFault { with(\.note.isUnserved, true) }

  var isPermission: Bool { code.map { $0 == 10 || (200...299).contains($0) } ?? false }

  private static func status(for code: Int?) -> Int {
    switch code {
    case 1?, 2?: 500
    case let code? where code == 10 || (200...299).contains(code): 403
    default: 400
    }
  }

  /// The middle word of `WWW-Authenticate` (docs/internals/graph-api.md, Errors).
  var challenge: String {
    switch code {
    case 100? where (36_007...36_009).contains(subcode ?? 0): "invalid_code"
    case 102?, 190?: "invalid_token"
    case 803?: "not_found"
    case 1?, 2?: "unknown_error"
    case _ where isPermission: "insufficient_scope"
    default: "invalid_request"
    }
  }

  /// The error object, in the order in which Graph writes it.
  func json(traceID: String?) -> JSON {
    var error: JSON.Object = ["message": .string(message), "type": .string(type)]
    if let code { error["code"] = .number(.init(code)) }
    if let subcode { error["error_subcode"] = .number(.init(subcode)) }
    if let isTransient = isTransient ?? (code == 1 || code == 2 || code == 960 ? true : nil) {
      error["is_transient"] = .bool(isTransient)
    }
    if let userTitle { error["error_user_title"] = .string(userTitle) }
    if let userMessage { error["error_user_msg"] = .string(userMessage) }
    if let data { error["error_data"] = data }
    if let traceID { error["fbtrace_id"] = .string(traceID) }
    return ["error": .object(error)]
  }
}
