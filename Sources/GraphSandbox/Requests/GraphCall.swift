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
  /// Decodes a call in any of the four encodings in use (docs/graph-api.md, Calls).
  ///
  /// `takesLists` lets `depends_on` name several operations.
  init(_ call: HTTPCall, takesLists: Bool = false) {
    let url = RelativeURL(call.target)
    var body: RequestBody?
    do throws(GraphFault) {
      body = try RequestBody(call)
    } catch {
      self.init(call, url, parameters: url.query, kind: .refused(error), isBatch: false)
      return
    }
    var parameters = url.query
    if let body { parameters.append(contentsOf: body.parameters) }
    let files = body?.files ?? []
    if call.method == "POST", let batch = body?.batch ?? parameters.utf8("batch").map(Array.init) {
      self.init(
        call,
        url,
        parameters: parameters,
        kind: Self.batch(batch, parameters, takesLists: takesLists),
        isBatch: true,
        files: files
      )
      return
    }
    self.init(
      call,
      url,
      parameters: parameters,
      kind: Self.single(call, url, parameters, files),
      isBatch: false,
      files: files
    )
  }

  private init(
    _ call: HTTPCall,
    _ url: RelativeURL,
    parameters: Parameters,
    kind: Kind,
    isBatch: Bool,
    files: [UploadedFile] = []
  ) {
    self.kind = kind
    self.isBatch = isBatch
    method = call.method
    path = LoggedURL.path(of: call.target)
    version = url.version
    token = parameters["access_token"] ?? Self.bearer(call.authorization)
    proof = parameters["appsecret_proof"]
    namesApp = parameters.contains("batch_app_id")
    self.files = files
  }

  private static func batch(
    _ batch: [UInt8],
    _ parameters: Parameters,
    takesLists: Bool
  ) -> Kind {
    do throws(GraphFault) {
      let call = try BatchCall(
        .init(text: batch, takesLists: takesLists),
        includesHeaders: parameters.flag("include_headers") ?? true
      )
      return .batch(call)
    } catch {
      return .refused(error)
    }
  }

  private static func single(
    _ call: HTTPCall,
    _ url: RelativeURL,
    _ parameters: Parameters,
    _ files: [UploadedFile]
  ) -> Kind {
    guard var method = GraphMethod(call.method) else {
      return .refused(.unknownMethod(call.method))
    }
    // Old clients send every method as a POST with a parameter.
    if method == .post, let word = parameters["method"], let override = GraphMethod(word) {
      method = override
    }
    return .single(
      GraphRequest(
        method: method,
        version: url.version,
        path: url.path,
        parameters: parameters,
        token: parameters["access_token"] ?? bearer(call.authorization),
        ifNoneMatch: call.ifNoneMatch,
        files: files
      )
    )
  }

  /// The token of `Authorization: Bearer …` or `OAuth …`.
  private static func bearer(_ header: String?) -> String? {
    guard let header, let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
      ["bearer", "oauth"].contains(header[..<space].lowercased())
    else { return nil }
    return String(header[space...]).trimmed
  }
}

extension GraphCall {
  /// A call whose body could not be taken in.
  init(refused fault: GraphFault, _ call: HTTPCall) {
    let url = RelativeURL(call.target)
    self.init(call, url, parameters: url.query, kind: .refused(fault), isBatch: false)
  }
}
