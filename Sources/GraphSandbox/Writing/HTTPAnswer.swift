/// An HTTP answer, ready to be written.
struct HTTPAnswer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// How it is sent: faults may have it otherwise than whole.
  var delivery = Delivery.whole

  subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension HTTPAnswer {
  /// The answer to a single operation, or to a whole batch that was refused.
  init(_ answer: Answer, traceID: String) {
    status = answer.status
    body = answer.body ?? []
    headers = Self.headers(
      version: answer.version,
      usage: answer.usage,
      traceID: traceID,
      cacheControl: answer.challenge == nil
        ? "private, no-cache, no-store, must-revalidate" : "no-store"
    )
    if answer.body != nil { headers.insert(Self.contentType, at: 0) }
    if let etag = answer.etag { headers.append(("ETag", etag)) }
    if let location = answer.location { headers.append(("Location", location)) }
    if let challenge = answer.challenge { headers.append(("WWW-Authenticate", challenge)) }
    if answer.isInvented { headers.append(("X-GraphFlow-Sandbox", "invented")) }
  }

  /// The answer to a batch.
  init(items: [UInt8], version: String, usage: UsageHeaders, traceID: String) {
    status = 200
    body = items
    headers =
      [Self.contentType]
      + Self.headers(
        version: version,
        usage: usage,
        traceID: traceID,
        cacheControl: "private, no-cache, no-store, must-revalidate"
      )
  }

  /// JSON outside, JavaScript inside (docs/graph-api.md, decision 42).
  private static let contentType = (
    name: "Content-Type", value: "application/json; charset=UTF-8"
  )

  private static func headers(
    version: String,
    usage: UsageHeaders,
    traceID: String,
    cacheControl: String
  ) -> [(name: String, value: String)] {
    [
      ("facebook-api-version", version),
      ("x-fb-trace-id", traceID),
      ("x-fb-rev", "1000000000"),
      ("X-App-Usage", usage.app),
      ("Expires", "Sat, 01 Jan 2000 00:00:00 GMT"),
      ("Cache-Control", cacheControl),
      ("Pragma", "no-cache"),
      ("Vary", "Accept-Encoding"),
      ("Access-Control-Allow-Origin", "*"),
    ] + usage.others.map { ($0.name, $0.value) }
  }
}
