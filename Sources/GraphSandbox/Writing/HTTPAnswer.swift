/// An HTTP answer, ready to be written.
struct HTTPAnswer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// A fault of the connection; without one the answer is sent whole and at once.
  var delivery: CallFault?
}

extension HTTPAnswer {
  /// No answer: the connection is closed without a byte.
  static let dropped = HTTPAnswer(status: 503, headers: [], body: [], delivery: .dropped(.applied))

  /// The answer to a single operation, to a batch, or to a whole batch that was refused.
  ///
  /// Its content type is JSON, that of items JavaScript (docs/internals/graph-api.md, decision 42).
  init(_ answer: Answer, traceID: String) {
    status = answer.status
    body = answer.body
    headers = answer.body.isEmpty ? [] : [("Content-Type", "application/json; charset=UTF-8")]
    headers += [
      ("facebook-api-version", answer.version), ("x-fb-trace-id", traceID),
      ("x-fb-rev", "1000000000"), ("X-App-Usage", answer.usage.app),
    ]
    headers += Self.constants(isError: answer.challenge != nil) + answer.usage.others
    if let etag = answer.etag { headers.append(("ETag", etag)) }
    if let location = answer.location { headers.append(("Location", location)) }
    if let challenge = answer.challenge { headers.append(("WWW-Authenticate", challenge)) }
    if answer.isInvented { headers.append(("X-GraphFlow-Sandbox", "invented")) }
  }

  /// The headers with the same values on all answers, in and outside of batches.
  static func constants(isError: Bool) -> [(name: String, value: String)] {
    [
      ("Expires", "Sat, 01 Jan 2000 00:00:00 GMT"),
      ("Cache-Control", isError ? "no-store" : "private, no-cache, no-store, must-revalidate"),
      ("Pragma", "no-cache"),
      ("Vary", "Accept-Encoding"),
      ("Access-Control-Allow-Origin", "*"),
    ]
  }
}
