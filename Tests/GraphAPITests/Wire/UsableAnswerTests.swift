import GraphAPI
import JSONPath
import Testing

/// An answer to an operation is classified the same in a batch and alone.
struct UsableAnswerTests {
  /// The classes of answers.
  enum Verdict: String {
    /// A result.
    case result
    /// An error object of Graph.
    case refusal
    /// An unusable answer: the operation may have happened, and a read may be retried.
    case unusable
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var method = OperationMethod.post
    var code = 200
    var headers: [String: String] = [:]
    /// The operation's `If-None-Match`.
    var condition: String?
    var body: String?
    let verdict: Verdict

    var testDescription: String {
      "\(method.rawValue) \(code) \(headers.keys.joined()) \(body?.prefix(40) ?? "no body")"
    }

    var operation: BatchOperation {
      BatchOperation(
        method: method, path: "me",
        headers: condition.flatMap { HeaderField("if-none-match", $0) }.map { [$0] } ?? [])
    }
  }

  private static func nested(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  static let results: [Case] =
    [
      #"{"id":"1"}"#, "true", "false", "null", "7", #""text""#, "[]", " {} ", nested(512),
      "\u{FEFF}{}", #"{"errors":[]}"#, #"{"a":"error"}"#,
    ].map { Case(body: $0, verdict: .result) } + [
      Case(code: 201, body: "{}", verdict: .result), Case(code: 204, verdict: .result),
      Case(code: 204, body: "", verdict: .result), Case(code: 205, verdict: .result),
      Case(method: .get, code: 304, condition: "\"a\"", verdict: .result),
      Case(method: .get, code: 302, headers: ["location": "https://x/y"], verdict: .result),
      Case(method: .get, code: 301, headers: ["Location": "/y"], body: "<html>", verdict: .result),
    ]

  static let refusals: [Case] = [
    Case(code: 400, body: #"{"error":{"code":100,"message":"m"}}"#, verdict: .refusal),
    Case(code: 500, body: #"{"error":{"code":2,"message":"m"}}"#, verdict: .refusal),
    Case(code: 200, body: #"{"error":{"code":1,"message":"m"}}"#, verdict: .refusal),
    Case(code: 302, body: #"{"error":{"code":1,"message":"m"}}"#, verdict: .refusal),
    Case(code: 404, body: #"{"error_code":803,"error_msg":"m"}"#, verdict: .refusal),
    Case(code: 700, body: #"{"error":{"code":1,"message":"m"}}"#, verdict: .refusal),
  ]

  static let unusable: [Case] =
    [
      #"{"id":"100_9"#, "<html>busy</html>", "", " \r\n\t", "{}}", "OK", "{'id':1}", nested(513),
      #"{"a":\#(nested(512))}"#, "\u{1}", #"{"error":{"code":1}"#,
    ].map { Case(body: $0, verdict: .unusable) } + [
      Case(verdict: .unusable), Case(method: .get, verdict: .unusable),
      Case(method: .delete, body: "", verdict: .unusable),
      Case(code: 204, body: "x", verdict: .unusable), Case(code: 206, verdict: .unusable),
    ]
    + [100, 101, 199, 300, 302, 304, 307, 400, 401, 404, 408, 429, 500, 502, 504, 600, 999].flatMap
  {
    [Case(code: $0, body: "{}", verdict: .unusable), Case(code: $0, verdict: .unusable)]
  } + [
    Case(method: .post, code: 302, headers: ["Location": "https://x"], verdict: .unusable),
    Case(method: .delete, code: 302, headers: ["Location": "https://x"], verdict: .unusable),
    Case(method: .get, code: 302, verdict: .unusable),
    Case(method: .get, code: 302, headers: ["Location": ""], verdict: .unusable),
    Case(method: .get, code: 304, verdict: .unusable),
    Case(method: .get, code: 304, headers: ["Location": "https://x"], verdict: .unusable),
    Case(method: .post, code: 304, condition: "\"a\"", verdict: .unusable),
    Case(method: .get, code: 404, body: "<html>", verdict: .unusable),
  ]

  private func inBatch(_ example: Case) throws -> OperationResponse {
    var item = JSON.Object([("code", .number(JSON.Number(example.code)))])
    item["headers"] = .array(
      example.headers.map { ["name": .string($0.key), "value": .string($0.value)] })
    item["body"] = example.body.map(JSON.string)
    let token = try #require(AccessToken("t"))
    let request = try #require(
      BatchRequest(operations: [example.operation], accessToken: token, version: .current))
    let text = Array(JSON.array([.object(item)]).serialized().utf8)
    return try Self.response(request.answer(from: WireResponse(status: 200, body: text)))
  }

  private func alone(_ example: Case) throws -> OperationResponse {
    let request = SingleRequest(
      operation: example.operation, accessToken: try #require(AccessToken("t")), version: .current)
    let response = WireResponse(
      status: example.code, headers: example.headers.compactMap { HeaderField($0.key, $0.value) },
      body: Array((example.body ?? "").utf8))
    return try Self.response(request.answer(from: response))
  }

  private static func response(_ answer: BatchAnswer) throws -> OperationResponse {
    guard case .items(let items) = answer, items.count == 1, case .response(let response) = items[0]
    else { throw NoResponse() }
    return response
  }

  private struct NoResponse: Error {}

  @Test(arguments: results + refusals + unusable)
  func `an answer is judged the same in a batch and alone`(_ example: Case) throws {
    for response in [try inBatch(example), try alone(example)] {
      let verdict: Verdict =
        switch response.error?.isFromGraph {
        case nil: .result
        case true?: .refusal
        case false?: .unusable
        }
      #expect(verdict == example.verdict)
      #expect(response.code == example.code)
      guard let error = response.error, !error.isFromGraph else { continue }
      let judgement = ErrorTable.standard.classification(of: error, status: response.code)
      #expect(judgement.category == .transient && judgement.isRetryUseful)
      #expect(judgement.provesNothingHappened == (response.code == 429))
      #expect(["server", "timeout", "throttled"].contains(judgement.reason.rawValue))
    }
    #expect(try inBatch(example).error == alone(example).error)
  }

  @Test(arguments: results)
  func `the body of a result is the sent one, or absent if there is none`(_ example: Case) throws {
    for response in [try inBatch(example), try alone(example)] {
      let hasBody = (200...299).contains(response.code) && example.body?.isEmpty == false
      let body = example.body ?? ""
      #expect(String(decoding: response.body.text, as: UTF8.self) == (hasBody ? body : ""))
      if hasBody { #expect(try response.body.json() == JSON(parsing: Array(body.utf8))) }
    }
  }

  @Test func `a body has at most sixty-four mebibytes`() throws {
    var body = [UInt8](repeating: UInt8(ascii: "1"), count: 64 << 20)
    #expect(OperationResponse(code: 200, body: ResponseBody(body)).error == nil)
    body.append(UInt8(ascii: "1"))
    let error = try #require(OperationResponse(code: 200, body: ResponseBody(body)).error)
    #expect(error.message == "the answer is longer than 64 MiB" && !error.isFromGraph)
  }

  @Test(arguments: [100, 65_536, 65_537, 1_000_000])
  func `a long body is classified like a short one`(_ length: Int) {
    let text = String(repeating: "[\\\"{", count: length / 4)
    let good = Array(#"{"a": "\#(text)", "b": [[1, {"c": null}], 2]}"#.utf8)
    #expect(OperationResponse(code: 200, body: ResponseBody(good)).error == nil)
    for damaged in [Array(good.dropLast()), Array(good.dropFirst()), good + [0x7D]] {
      let response = OperationResponse(code: 200, body: ResponseBody(damaged))
      #expect(response.error?.isFromGraph == false)
    }
    let refusal = Array(#"{"a": "\#(text)", "error": {"code": 190}}"#.utf8)
    #expect(OperationResponse(code: 200, body: ResponseBody(refusal)).error?.code == 190)
  }
}
