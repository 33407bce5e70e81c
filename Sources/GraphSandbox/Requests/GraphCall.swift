import JSONPath

/// An HTTP request in Graph's terms: one operation, a batch, or something unreadable.
struct GraphCall: Sendable {
  enum Kind: Sendable {
    case single(GraphRequest)
    case batch(BatchCall)
    /// The whole call is answered with this error.
    case refused(GraphFault)
  }

  let kind: Kind
  /// Whether the call carried a `batch`, readable or not.
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
  /// Whether `batch_app_id` stands in for a token.
  let namesApp: Bool
  let files: [UploadedFile]
}

extension GraphCall {
  /// Decodes a call in any of the four encodings in use (docs/internals/graph-api.md, Calls).
  ///
  /// `takesLists` lets `depends_on` name several operations.
  init(_ call: HTTPCall, takesLists: Bool = false) {
    let url = RelativeURL(call.target)
    var parameters = url.query
    var files: [UploadedFile] = []
    var batch: [UInt8]?
    var kind: Kind
    do throws(GraphFault) {
      let body = try RequestBody(call)
      parameters.append(contentsOf: body.parameters)
      files = body.files
      if call.method == "POST" { batch = body.batch ?? parameters["batch"].map { Array($0.utf8) } }
      if let batch {
        let showsHeaders = parameters.flag("include_headers") ?? true
        kind = .batch(
          try BatchCall(batch, takesLists: takesLists, includesHeaders: showsHeaders)
        )
      } else {
        kind = .single(try Self.single(call, url, parameters, files))
      }
    } catch {
      kind = .refused(error)
    }
    self.init(call, url, parameters, kind, isBatch: batch != nil, files: files)
  }

  /// A call whose body could not be taken in.
  init(refused fault: GraphFault, _ call: HTTPCall) {
    let url = RelativeURL(call.target)
    self.init(call, url, url.query, .refused(fault), isBatch: false, files: [])
  }

  private init(
    _ call: HTTPCall,
    _ url: RelativeURL,
    _ parameters: Parameters,
    _ kind: Kind,
    isBatch: Bool,
    files: [UploadedFile]
  ) {
    self.kind = kind
    self.isBatch = isBatch
    method = call.method
    path = LoggedURL.path(of: call.target)
    version = url.version
    token = Self.token(call, parameters)
    proof = parameters["appsecret_proof"]
    namesApp = parameters.contains("batch_app_id")
    self.files = files
  }

  private static func single(
    _ call: HTTPCall,
    _ url: RelativeURL,
    _ parameters: Parameters,
    _ files: [UploadedFile]
  ) throws(GraphFault) -> GraphRequest {
    guard var method = GraphMethod(call.method) else { throw .unknownMethod(call.method) }
    // Old clients send every method as a POST with a parameter.
    if method == .post, let word = parameters["method"], let override = GraphMethod(word) {
      method = override
    }
    return GraphRequest(
      method: method,
      version: url.version,
      path: url.path,
      parameters: parameters,
      token: token(call, parameters),
      ifNoneMatch: call.ifNoneMatch,
      files: files
    )
  }

  /// The token in the parameters, or else that of `Authorization: Bearer …` or `OAuth …`.
  private static func token(_ call: HTTPCall, _ parameters: Parameters) -> String? {
    if let token = parameters["access_token"] { return token }
    guard let header = call.authorization,
      let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
      ["bearer", "oauth"].contains(header[..<space].lowercased())
    else { return nil }
    return String(header[space...]).trimmed
  }
}
