import JSONPath

/// A decoded HTTP request: one operation, a batch, or an error.
struct GraphCall: Sendable {
  enum Kind: Sendable {
    case single(GraphRequest)
    case batch(BatchCall)
    /// The answer to the whole call is this error.
    case refused(GraphFault)
  }

  let kind: Kind
  /// Whether the call has a `batch`, valid or not.
  let isBatch: Bool
  /// The HTTP method as received.
  let method: String
  /// The path without the query, which may hold a token.
  let path: String
  /// The version in the path, the default for the operations of a batch.
  let version: String?
  /// The token of the call: parameter or `Authorization` header.
  let token: String?
  let proof: String?
  /// Whether `batch_app_id` replaces a token.
  let hasAppID: Bool
  let files: [UploadedFile]
  /// The server's address as the client wrote it; nil if it wrote none that can be used.
  let origin: String?
  /// The handshakes that it needs, with their replies.
  var handshakes: [Handshake] = []
}

extension GraphCall {
  /// Decodes a call in any of the four encodings in use (docs/internals/graph-api.md, Calls).
  ///
  /// With `takesLists`, `depends_on` may name several operations.
  init(_ call: HTTPCall, takesLists: Bool = false) {
    let url = RelativeURL(call.target.utf8)
    var parameters = url.query
    var files: [UploadedFile] = []
    var batch: [UInt8]?
    var kind: Kind
    do throws(GraphFault) {
      let body = try RequestBody(call)
      parameters.append(contentsOf: body.parameters)
      files = body.files
      if parameters.contains("batch") || body.batch != nil,
        try Self.method(call, parameters) == .post
      {
        batch = body.batch ?? parameters.bytes(of: "batch").map { Array($0) }
      }
      if let batch {
        let showsHeaders = parameters.flag("include_headers") ?? true
        kind = .batch(try BatchCall(batch, takesLists: takesLists, includesHeaders: showsHeaders))
      } else {
        kind = .single(try Self.single(call, url, parameters, files))
      }
    } catch {
      kind = .refused(error)
    }
    self.init(call, url, parameters, kind, isBatch: batch != nil, files: files)
  }

  /// A call with a body that cannot be read.
  init(refused fault: GraphFault, _ call: HTTPCall) {
    let url = RelativeURL(call.target.utf8)
    self.init(call, url, url.query, .refused(fault), isBatch: false, files: [])
  }

  private init(
    _ call: HTTPCall, _ url: RelativeURL, _ parameters: Parameters, _ kind: Kind, isBatch: Bool,
    files: [UploadedFile]
  ) {
    self.kind = kind
    self.isBatch = isBatch
    method = call.method
    path = LoggedURL.path(of: call.target)
    version = url.version
    token = Self.token(call, parameters)
    proof = parameters["appsecret_proof"]
    hasAppID = parameters.contains("batch_app_id")
    self.files = files
    origin = call.origin
  }

  private static func single(
    _ call: HTTPCall, _ url: RelativeURL, _ parameters: Parameters, _ files: [UploadedFile]
  ) throws(GraphFault) -> GraphRequest {
    GraphRequest(
      method: try method(call, parameters), version: url.version, path: url.path,
      parameters: parameters,
      token: token(call, parameters), ifNoneMatch: call.ifNoneMatch, files: files)
  }

  /// The method of the parameter `method`, if there is one: some clients can only send GET and POST.
  private static func method(
    _ call: HTTPCall, _ parameters: Parameters
  ) throws(GraphFault) -> GraphMethod {
    if let override = parameters["method"].flatMap(GraphMethod.init(_:)) { return override }
    // An answer to HEAD is that to GET without its body (RFC 9110 §9.3.2).
    let word = call.method == "HEAD" ? "GET" : call.method
    guard let method = GraphMethod(word) else { throw .unknownMethod(word) }
    return method
  }

  /// The token in the parameters, or else in `Authorization: Bearer …` or `OAuth …`.
  private static func token(_ call: HTTPCall, _ parameters: Parameters) -> String? {
    if let token = parameters["access_token"] { return token }
    guard let header = call.authorization,
      let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
      ["bearer", "oauth"].contains(header[..<space].lowercased())
    else { return nil }
    return String(header[space...]).trimmed
  }
}
