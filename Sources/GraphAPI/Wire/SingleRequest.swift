internal import JSONPath

/// One operation in an HTTP call of its own.
///
/// Graph does not resolve references in it, and names and `depends_on` are not sent: text that Graph
/// would expand in a batch has no effect here.
package struct SingleRequest: Hashable, Sendable {
  /// The operation; its own token and version take precedence over the request's.
  package let operation: BatchOperation
  /// The token, unless the operation has its own.
  package let accessToken: AccessToken
  /// The version, unless the operation has its own.
  package let version: GraphVersion
  /// The app's secret, to send a proof of the token; nil sends no proof.
  package let appSecret: AppSecret?

  package init(
    operation: BatchOperation, accessToken: AccessToken, version: GraphVersion,
    appSecret: AppSecret? = nil
  ) {
    self.operation = operation
    self.accessToken = accessToken
    self.version = version
    self.appSecret = appSecret
  }

  /// The HTTP request: a POST has its token in the body, the others in `Authorization`.
  ///
  /// The proof of a GET or DELETE is sent in the query, because Graph accepts it nowhere else.
  package func wireRequest(to url: GraphURL) -> WireRequest {
    var plain = operation
    plain.version = operation.version ?? version
    let token = operation.accessToken ?? accessToken
    let proof = appSecret.map { secret in
      BatchOperation.Parameter(name: "appsecret_proof", value: secret.proof(for: token))
    }
    var headers = operation.headers.filter { field in
      !Self.reservedHeaderNames.contains { field.isNamed($0) }
    }
    var body: [UInt8] = []
    var query: [BatchOperation.Parameter] = []
    if operation.method == .post {
      let secrets = [BatchOperation.Parameter(name: "access_token", value: token.exposed), proof]
      let fields = operation.parameters + secrets.compactMap(\.self)
      let post = PostBody(
        fields.lazy.map { ($0.name, $0.value.utf8) },
        files: operation.files.map { ($0, $0.partName) })
      headers += [HeaderField("Content-Type", post.contentType)].compactMap(\.self)
      body = post.bytes
    } else {
      query = operation.parameters + [proof].compactMap(\.self)
      headers += [HeaderField("Authorization", "Bearer \(token.exposed)")].compactMap(\.self)
    }
    return WireRequest(
      method: operation.method.rawValue,
      url: "\(url)/" + PercentEncoding.repaired(plain.relativeURL(fields: query)), headers: headers,
      body: body)
  }

  /// Parses the HTTP answer to this operation: an answer with one item.
  ///
  /// The same rules apply as to an item of a batch's answer. A redirect is never followed; its
  /// `Location` is left to the caller.
  package func answer(from response: WireResponse) -> BatchAnswer {
    .items([
      .response(
        OperationResponse(
          code: response.status, headers: response.headers, body: ResponseBody(response.body),
          to: operation))
    ])
  }

  /// Headers that the call sets itself; an operation cannot override them.
  private static let reservedHeaderNames = [
    "Authorization", "Connection", "Content-Length", "Content-Type", "Cookie", "Host",
    "Transfer-Encoding",
  ]
}
