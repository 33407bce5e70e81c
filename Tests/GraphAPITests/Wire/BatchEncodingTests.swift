import GraphAPI
import JSONPath
import Testing

struct BatchEncodingTests {
  static let hostileTexts = [
    "a&b=c", "100%", "%41", "a+b c", "line\r\nbreak", "\u{0}\u{1F}", "#?/\\", "\"quoted\"", "{}[]",
    "😀 \u{1F468}\u{200D}\u{1F469}", "é", "\u{2028}", "{result=", "</script>", "",
  ]

  @Test(arguments: [0, 51, 100])
  func `a batch has one to fifty operations`(_ count: Int) throws {
    let operations = [BatchOperation](repeating: get("me"), count: count)

    #expect(
      BatchRequest(operations: operations, accessToken: try token(), version: .current) == nil)
  }

  @Test(arguments: hostileTexts)
  func `a POST's parameters arrive unchanged`(_ text: String) throws {
    let operation = BatchOperation(
      method: .post, path: "me/feed", parameters: [.init(name: "n" + text, value: text)])

    let element = try element(operation)

    let fields = formFields(Array((element["body"]?.string ?? "").utf8))
    #expect(fields.map(\.name) == ["n" + text])
    #expect(fields.map(\.value) == [text])
    #expect(element["relative_url"]?.string == "me/feed")
  }

  @Test(arguments: hostileTexts)
  func `a GET's parameters arrive unchanged`(_ text: String) throws {
    let operation = BatchOperation(
      method: .get, path: "me", parameters: [.init(name: "fields", value: text)])

    let element = try element(operation)

    let query = (element["relative_url"]?.string ?? "").between("?", "")
    #expect(formFields(Array(query.utf8)).map(\.value) == [text])
    #expect(element["body"] == nil)
  }

  @Test(arguments: [
    ("me", "me?a=1"), ("?ids=1,2", "?ids=1,2&a=1"), ("me?", "me?a=1"), ("me?b=2&", "me?b=2&a=1"),
    ("{result=x:$.id}/comments", "{result=x:$.id}/comments?a=1"), ("", "?a=1"),
  ])
  func `parameters follow the path's own query`(_ path: String, _ expected: String) {
    let operation = BatchOperation(
      method: .get, path: path, parameters: [.init(name: "a", value: "1")])

    #expect(operation.relativeURL == expected)
  }

  @Test func `spaces are percent-encoded in queries and bodies`() throws {
    let parameter = BatchOperation.Parameter(name: "q", value: "a b")

    let query = try element(BatchOperation(method: .delete, path: "x", parameters: [parameter]))
    let body = try element(BatchOperation(method: .post, path: "x", parameters: [parameter]))

    #expect(query["relative_url"] == "x?q=a%20b")
    #expect(body["body"] == "q=a%20b")
  }

  @Test func `every member has Graph's name and format`() throws {
    var operation = BatchOperation(method: .get, path: "me")
    operation.name = "first"
    operation.version = GraphVersion("v24.0")
    operation.headers = [HeaderField("If-None-Match", "\"abc\"")].compactMap(\.self)
    operation.dependsOn = "zero"
    operation.omitResponseOnSuccess = false

    #expect(
      try element(operation) == [
        "method": "GET", "relative_url": "v24.0/me", "name": "first", "depends_on": "zero",
        "omit_response_on_success": false,
        "headers": [["name": "If-None-Match", "value": "\"abc\""]],
      ])
  }

  @Test func `tokens and proofs are sent in the body`() throws {
    let secret = try #require(AppSecret("secret"))
    let own = try #require(AccessToken("own"))
    let request = try #require(
      BatchRequest(
        operations: [
          BatchOperation(method: .get, path: "1", accessToken: own),
          BatchOperation(method: .post, path: "2", accessToken: own),
          get("3"),
        ], accessToken: try token(), version: .current, appSecret: secret))

    let wire = request.wireRequest(to: .standard)

    let fields = formFields(wire.body)
    let credentials = "access_token=own&appsecret_proof=\(secret.proof(for: own))"
    #expect(wire.url == "https://graph.facebook.com/v25.0/")
    #expect(fields["access_token"] == "tok|en")
    #expect(fields["appsecret_proof"] == secret.proof(for: try token()))
    #expect(fields["include_headers"] == "true")
    #expect(
      try JSON(parsing: fields["batch"] ?? "") == [
        ["method": "GET", "relative_url": .string("1?" + credentials)],
        ["method": "POST", "relative_url": "2", "body": .string(credentials)],
        ["method": "GET", "relative_url": "3"],
      ])
    #expect(wire.headers.map(\.name) == ["Content-Type"])
  }

  @Test func `files are sent as parts with names that are unique in the batch`() throws {
    let file = try #require(
      AttachedFile(
        partName: "source", fileName: "a\"\r\nb\\.jpg", contentType: "image/jpeg",
        contents: Array("--graphflow\r\n\r\n--".utf8)))
    let taken = try #require(
      AttachedFile(partName: "source_2", fileName: "c", contentType: "image/png", contents: []))
    let request = try #require(
      BatchRequest(
        operations: [
          BatchOperation(method: .post, path: "me/photos", files: [file, taken]),
          BatchOperation(method: .post, path: "me/photos", files: [file]),
        ], accessToken: try token(), version: .current))

    let parts = try multipartParts(of: request.wireRequest(to: .standard))

    #expect(
      parts.map(\.name) == [
        "access_token", "include_headers", "batch", "source", "source_2", "source_3",
      ])
    #expect(parts[0].content == Array("tok|en".utf8))
    #expect(parts[5].content == file.contents)
    #expect(parts[5].head.contains("filename=\"a%22%0D%0Ab%5C.jpg\"\r\nContent-Type: image/jpeg"))
    let batch = try JSON(parsing: parts[2].content)
    #expect(batch[0]?["attached_files"] == "source,source_2")
    #expect(batch[1]?["attached_files"] == "source_3")
  }

  @Test func `a file that contains another request's boundary changes the boundary`() throws {
    let first = try upload(Array("photo".utf8))
    let boundary = try #require(first.headers["Content-Type"]).between("boundary=", "")

    let second = try upload(Array("\r\n--\(boundary)--\r\n".utf8))

    let parts = try multipartParts(of: second)
    #expect(parts.last?.content == Array("\r\n--\(boundary)--\r\n".utf8))
    #expect(try upload(Array("photo".utf8)) == first)
  }

  private func upload(_ contents: [UInt8]) throws -> WireRequest {
    let file = try #require(
      AttachedFile(partName: "f", fileName: "f", contentType: "image/png", contents: contents))
    let operation = BatchOperation(method: .post, path: "me/photos", files: [file])
    let request = try #require(
      BatchRequest(operations: [operation], accessToken: try token(), version: .current))
    return request.wireRequest(to: .standard)
  }

  private func get(_ path: String) -> BatchOperation { BatchOperation(method: .get, path: path) }

  private func token() throws -> AccessToken { try #require(AccessToken("tok|en")) }

  private func element(_ operation: BatchOperation) throws -> JSON {
    let request = try #require(
      BatchRequest(operations: [operation], accessToken: try token(), version: .current))
    let batch = try #require(formFields(request.wireRequest(to: .standard).body)["batch"])
    return try #require(try JSON(parsing: batch)[0])
  }
}
