import GraphAPI
import JSONPath
import Testing

struct BatchAnswerTests {
  private static let ok = #"{"code":200,"body":"{\"id\":\"1\"}"}"#

  private static let aborted =
    #"{"code":500,"body":"{\"error\":{\"message\":\"Request aborted.\",\"type\":\"FacebookApiException\",\"code\":960}}"}"#

  /// Operations as `name<predecessor`, with `!` for one whose response is requested.
  @Test(arguments: [
    // A dependent was run, so its predecessor succeeded.
    (["a", "<a"], "[null,\(ok)]", ["omitted", "200"]),
    // The response was requested, so null means that there is none.
    (["a!", "<a"], "[null,\(ok)]", ["not executed", "200"]),
    // Nothing was run that would prove a success.
    (["a", "<a"], "[null,null]", ["not executed", "not executed"]),
    (["a", "<a"], "[null,{}]", ["not executed", "not executed"]),
    (["a", "<a"], "[null,\(aborted)]", ["not executed", "not executed 960"]),
    // A failure has an item; operations that depend on it are not run.
    (["a", "<a"], "[{\"code\":400,\"body\":\"{}\"},null]", ["400", "not executed"]),
    // A dependent that failed was run.
    (["a", "<a"], "[null,{\"code\":400,\"body\":\"{}\"}]", ["omitted", "400"]),
    // A chain: the last one's run proves both before it.
    (["a", "b<a", "<b"], "[null,null,\(ok)]", ["omitted", "omitted", "200"]),
    (["a", "b!<a", "<b"], "[null,null,\(ok)]", ["not executed", "not executed", "200"]),
    // No operation refers to it.
    (["a", ""], "[null,\(ok)]", ["not executed", "200"]),
    (["", ""], "[{},\(ok)]", ["not executed", "200"]),
    // Items that Graph has never sent.
    (["", ""], "[{\"body\":\"x\"},\(ok)]", ["not executed", "200"]),
    (["", ""], "[true,{\"code\":\"200\"}]", ["not executed", "not executed"]),
    (
      ["", ""], "[{\"code\":-1},{\"code\":99999999999999999999}]", ["not executed", "not executed"]
    ),
  ])
  func `the meaning of null depends on the request`(
    _ operations: [String], _ answer: String, _ expected: [String]
  ) throws {
    let request = try #require(try batch(operations))

    #expect(summary(request.answer(from: response(answer))) == expected)
  }

  @Test(arguments: [
    "{result=a:$.id}/comments", "?ids={result=a:$.data[*].id}", "?ids=%7Bresult%3Da%3A%24.id%7D",
    "x?y={result=b}&z={result=a}", "{{result=a:$.id}",
  ])
  func `a reference in a path refers to its operation`(_ path: String) throws {
    let operations = [
      BatchOperation(name: "a", method: .get, path: "me"), BatchOperation(method: .get, path: path),
    ]
    let token = try #require(AccessToken("t"))
    let request = try #require(
      BatchRequest(operations: operations, accessToken: token, version: .current))

    #expect(summary(request.answer(from: response("[null,\(Self.ok)]"))) == ["omitted", "200"])
  }

  @Test func `a body may be absent, empty, bare or inline`() throws {
    let text = #"""
      [{"code":304},{"code":200,"body":null},{"code":200,"body":""},{"code":200,"body":"true"},
       {"code":200,"body":{"id":1.10}}]
      """#
    let request = try #require(try batch(["", "", "", "", ""]))

    guard case .items(let items) = request.answer(from: response(text)) else {
      Issue.record("no items")
      return
    }
    let bodies = items.compactMap { item -> ResponseBody? in
      if case .response(let response) = item { return response.body }
      return nil
    }
    #expect(bodies.map(\.isAbsent) == [true, true, false, false, false])
    #expect(
      bodies.map { String(decoding: $0.text, as: UTF8.self) } == [
        "", "", "", "true", #"{"id":1.10}"#,
      ])
    #expect(try bodies[3].json() == true)
    #expect(throws: JSON.SyntaxError.self) { try bodies[2].json() }
    #expect(try bodies[4].document().root.serialized() == #"{"id":1.10}"#)
  }

  @Test func `bodies are unescaped when asked for`() throws {
    let text = #"[{"code":200,"body":"{\"a\":\"\\u00e9 \\ud83d\\ude00 \\\/ \u00e9\"}"}]"#
    let request = try #require(try batch([""]))

    guard case .items(let items) = request.answer(from: response(text)),
      case .response(let item) = items[0]
    else {
      Issue.record("no item")
      return
    }
    #expect(String(decoding: item.body.text, as: UTF8.self) == #"{"a":"\u00e9 \ud83d\ude00 \/ é"}"#)
    #expect(try item.body.json() == ["a": "é 😀 / é"])
    #expect(item.body == ResponseBody(item.body.text))
  }

  @Test(arguments: [
    (#"[{"name":"ETag","value":"\"a\""},{"name":"HTTP/1.1","value":"400 Bad Request"}]"#, "\"a\""),
    (#"["ETag: \"a\"","odd"]"#, "\"a\""), (#"{"ETag":"\"a\""}"#, "\"a\""),
    (#"[{"name":"etag","value":"x\r\ny"},{"name":7}]"#, nil), ("null", nil), ("17", nil),
  ])
  func `item headers are parsed in every format`(_ headers: String, _ etag: String?) throws {
    let text = "[{\"code\":200,\"headers\":\(headers),\"body\":\"{}\"}]"
    let request = try #require(try batch([""]))

    guard case .items(let items) = request.answer(from: response(text)),
      case .response(let item) = items[0]
    else {
      Issue.record("no item")
      return
    }
    #expect(item.headers["ETAG"] == etag)
    #expect(item.headers["HTTP/1.1"] == nil)
  }

  @Test func `usage headers are those of an item that does not repeat the headers before`() throws {
    let usage = #"{"name":"X-App-Usage","value":"{}"}"#
    let headers = [
      usage, usage, #"{"name":"ETag","value":"a"},"# + usage, #"{"name":"ETag","value":"b"}"#,
      #"{"name":"X-App-\u0055sage","value":"{}"}"#,
    ]
    let items = headers.map { "{\"code\":200,\"headers\":[\($0)],\"body\":\"{}\"}" }
    let request = try #require(try batch(headers.map { _ in "" }))

    guard
      case .items(let answers) = request.answer(from: response("[\(items.joined(separator: ","))]"))
    else {
      Issue.record("no items")
      return
    }
    let responses = answers.compactMap { answer -> OperationResponse? in
      if case .response(let response) = answer { response } else { nil }
    }
    let names = zip(responses, [nil] + responses).map { response, previous in
      response.usageHeaders(after: previous)?.map(\.name)
    }
    #expect(names == [["X-App-Usage"], nil, ["X-App-Usage"], [], ["X-App-Usage"]])
  }

  @Test(arguments: [
    (200, ""), (200, "  \r\n"), (400, "<html><body>400 Bad Request</body></html>"), (200, "nginx"),
    (502, "<!DOCTYPE html>"), (200, "[\(ok)]"), (200, "[\(ok),\(ok),\(ok)]"), (200, "[]"),
    (200, "[\(ok),\(ok)] x"), (200, "[\(ok),\(ok),]"), (200, "{}"), (200, #"{"data":[]}"#),
    (200, "null"), (200, "true"), (200, #""text""#), (302, "[\(ok),\(ok)]"), (307, ""),
    (500, "[\(ok),\(ok)]"), (101, "[\(ok),\(ok)]"),
    (200, "[\(ok),{\"code\":200,\"body\":\"\u{1}\"}]"),
  ])
  func `anything but an answer to the batch is unreadable`(_ status: Int, _ text: String) throws {
    let request = try #require(try batch(["", ""]))

    let answer = request.answer(from: response(text, status: status))

    guard case .unreadable(status, let reason) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test(arguments: [
    "[\(ok), {\"code\":200,\"headers\":[{\"name\":\"A\",\"value\":\"\\u00e9\"}],\"body\":\"{\\\"n\\\":[1.5e3,null,{}]}\"}]",
    "[\(aborted),null]",
    #"{"error":{"message":"m","type":"OAuthException","code":190,"fbtrace_id":"A\u0041"}}"#,
  ])
  func `an answer truncated anywhere is unreadable`(_ text: String) throws {
    let request = try #require(try batch(["", ""]))
    let bytes = Array(text.utf8)

    for length in bytes.indices {
      let cut = WireResponse(status: 200, body: Array(bytes[..<length]))
      guard case .unreadable = request.answer(from: cut) else {
        Issue.record("readable at \(length) bytes")
        return
      }
    }
    if case .unreadable = request.answer(from: WireResponse(status: 200, body: bytes)) {
      Issue.record("the whole answer is unreadable")
    }
  }

  @Test func `no change of one byte makes the decoder trap`() throws {
    let request = try #require(try batch(["a", "<a"]))
    let bytes = Array("[\(Self.aborted),{\"code\":200,\"headers\":[],\"body\":\"\\u00e9\"}]".utf8)
    var readable = 0

    for index in bytes.indices {
      for byte in [0, 0x22, 0x2C, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0xC3, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = byte
        let answer = request.answer(from: WireResponse(status: 200, body: changed))
        guard case .items(let items) = answer else { continue }
        #expect(items.count == 2)
        readable += 1
      }
    }
    #expect(readable > 0)
  }

  @Test func `deep nesting is rejected or accepted without a crash`() throws {
    let request = try #require(try batch([""]))
    let deep = String(repeating: "[", count: 100_000)
    let closed = deep + String(repeating: "]", count: 100_000)

    for text in [deep, closed, "[{\"code\":200,\"headers\":\(closed)}]"] {
      guard case .unreadable = request.answer(from: response(text)) else {
        Issue.record("readable")
        return
      }
    }
  }

  @Test(arguments: [
    (
      400,
      #"{"error":{"message":"Too many requests in batch message. Maximum batch size is 50","type":"GraphBatchException"}}"#
    ),
    (
      500,
      #"{"error":{"message":"An unknown error has occurred.","type":"OAuthException","code":1}}"#
    ),
    (400, #"{"error":0,"error_description":"batch parameter must be a JSON array"}"#),
    (400, #"{"error_code":190,"error_description":"Error validating access token."}"#),
    (200, #"{"error":{"message":"m","code":190}}"#),
  ])
  func `an error object rejects the whole batch`(_ status: Int, _ text: String) throws {
    let request = try #require(try batch([""]))

    guard case .refused(let error, status) = request.answer(from: response(text, status: status))
    else {
      Issue.record("not refused")
      return
    }
    #expect(error.isFromGraph)
    #expect(try error == GraphError(body: JSON(parsing: text)))
  }

  private func response(_ text: String, status: Int = 200) -> WireResponse {
    WireResponse(status: status, body: Array(text.utf8))
  }

  private func batch(_ descriptions: [String]) throws -> BatchRequest? {
    let operations = descriptions.map { description in
      let parts = description.split(separator: "<", omittingEmptySubsequences: false)
      let name = parts[0].prefix { $0 != "!" }
      return BatchOperation(
        name: name.isEmpty ? nil : String(name), method: .get, path: "me",
        dependsOn: parts.count > 1 ? String(parts[1]) : nil,
        omitResponseOnSuccess: parts[0].hasSuffix("!") ? false : nil)
    }
    let token = try #require(AccessToken("t"))
    return BatchRequest(operations: operations, accessToken: token, version: .current)
  }

  private func summary(_ answer: BatchAnswer) -> [String] {
    guard case .items(let items) = answer else { return ["\(answer)"] }
    return items.map { item in
      switch item {
      case .response(let response): "\(response.code)"
      case .omitted: "omitted"
      case .notExecuted(let error): "not executed" + (error?.code.map { " \($0)" } ?? "")
      }
    }
  }
}
