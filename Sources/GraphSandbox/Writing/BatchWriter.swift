/// Writes the answer to a batch: an array of items, `null` for an item without an answer
/// (docs/internals/graph-api.md, Answers).
struct BatchWriter {
  /// The items, each after a comma.
  private var output: [UInt8] = []
  /// The start of each item, if items are executed in another order than the batch's.
  private var pieces: [(index: Int, start: Int)]?

  init(count: Int, isShuffled: Bool) {
    output.reserveCapacity(count * 1_024)
    if isShuffled { pieces = [] }
  }

  /// Writes an item; an operation may omit its headers (docs/internals/graph-api.md,
  /// Operations: iOS does).
  mutating func write(_ answer: Answer?, at index: Int, includesHeaders: Bool) {
    pieces?.append((index, output.count))
    guard let answer else { return put(",null") }
    put(",{\"code\":")
    put(answer.status == 200 ? "200" : String(answer.status))
    if includesHeaders { putHeaders(of: answer) }
    if !answer.body.isEmpty {
      put(",\"body\":\"")
      GraphText.appendEscaped(answer.body.span, to: &output)
      put("\"")
    }
    put("}")
  }

  /// The whole array, its items in the batch's order.
  consuming func finish() -> [UInt8] {
    if let pieces { sort(pieces) }
    if output.isEmpty { output = [0] }
    output[0] = UInt8(ascii: "[")
    output.append(UInt8(ascii: "]"))
    return output
  }

  private mutating func sort(_ pieces: [(index: Int, start: Int)]) {
    let ends = pieces.dropFirst().map(\.start) + [output.count]
    let written = zip(pieces, ends).sorted { $0.0.index < $1.0.index }
    output = written.flatMap { output[$0.0.start..<$0.1] }
  }

  private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }
}

/// Headers of items, in the order of recordings (docs/internals/graph-api.md, Answers).
extension BatchWriter {
  private mutating func putHeaders(of answer: Answer) {
    put(",\"headers\":[")
    if !answer.body.isEmpty { put(Self.contentType) }
    putHeader("Facebook-API-Version", answer.version)
    putHeader("ETag", answer.etag)
    putHeader("Location", answer.location)
    putHeader("WWW-Authenticate", answer.challenge)
    put(answer.challenge == nil ? Self.constants : Self.errorConstants)
    if answer.isInvented { putHeader("X-GraphFlow-Sandbox", "invented") }
    for header in answer.usage.others { putHeader(header.name, header.value) }
    putHeader("X-App-Usage", answer.usage.app)
    // The bracket replaces the last comma.
    output[output.count - 1] = UInt8(ascii: "]")
  }

  private mutating func putHeader(_ name: String, _ value: String?) {
    guard let value else { return }
    put("{\"name\":\"")
    put(name)
    put("\",\"value\":")
    GraphText.append(value, to: &output)
    put("},")
  }

  private static let contentType =
    "{\"name\":\"Content-Type\",\"value\":\"text\\/javascript; charset=UTF-8\"},"
  private static let constants = constants(isError: false)
  private static let errorConstants = constants(isError: true)

  private static func constants(isError: Bool) -> String {
    HTTPAnswer.constants(isError: isError)
      .map { "{\"name\":\"\($0.name)\",\"value\":\"\($0.value)\"}," }.joined()
  }
}

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
