import JSONPath
import Testing

@testable import GraphSandbox

/// The shapes of requests in use (docs/internals/graph-api.md, Calls), over real HTTP.
struct RequestShapeTests {
  private static let batch =
    #"[{"method":"GET","relative_url":"me"},{"method":"GET","relative_url":"me/friends?limit=1"}]"#

  /// Target, content type and body of a call; `%T` is the token.
  static let shapes: [(name: String, target: String, type: String, body: String)] = [
    ("query", "/me?access_token=%T&batch=%B", "", ""),
    ("query with a version", "/v25.0/?access_token=%T&batch=%B", "", ""),
    ("form", "/", "application/x-www-form-urlencoded", "access_token=%T&batch=%B"),
    ("form without a type", "/v25.0/", "", "access_token=%T&batch=%B"),
    ("form and query", "/?access_token=%T", "application/x-www-form-urlencoded", "batch=%B"),
    (
      "multipart", "/", "multipart/form-data; boundary=\"a b\"",
      "--a b\r\nContent-Disposition: form-data; name=\"access_token\"\r\n\r\n%T\r\n"
        + "--a b\r\nContent-Disposition: form-data; name=\"batch\"\r\n"
        + "Content-Type: text/plain\r\n\r\n%R\r\n--a b--\r\n"
    ),
    ("JSON with text", "/", "application/json", #"{"access_token":"%T","batch":"%Q"}"#),
    (
      "JSON with an array", "/", "application/json; charset=utf-8",
      #"{"access_token":"%T","batch":%R}"#
    ),
  ]

  @Test(arguments: shapes)
  func `every documented shape of a batch is accepted`(
    name: String, target: String, type: String, body: String
  ) async throws {
    let encoded = InProcessSandbox.form([("", Self.batch)]).dropFirst()

    let answer = try await Sandbox(.with { _ in }).serving { sandbox in
      func filled(_ text: String) -> String {
        text.replacing("%T", with: sandbox.tokens[0].token).replacing("%B", with: encoded)
          .replacing("%R", with: Self.batch)
          .replacing("%Q", with: Self.batch.replacing("\"", with: "\\\""))
      }
      return try await LoopbackClient.send(
        "POST", filled(target), headers: type.isEmpty ? [] : ["Content-Type: \(type)"],
        body: Array(filled(body).utf8), to: sandbox)
    }

    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == "application/json; charset=UTF-8")
    let items = try #require(JSON(parsing: answer.body).array)
    #expect(items.map { $0["code"] } == [200, 200])
  }

  @Test func `photos are attached files, several in one batch`() async throws {
    let batch: JSON = [
      ["method": "POST", "relative_url": "me/photos", "attached_files": "cat1, cat2", "name": "a"],
      [
        "method": "POST", "relative_url": "me/photos", "body": "caption=two",
        "attached_files": "cat2",
      ],
      ["method": "POST", "relative_url": "me/photos", "attached_files": "dog"],
      ["method": "POST", "relative_url": "me/photos", "attached_files": "with.dot"],
      ["method": "POST", "relative_url": "me/photos", "attached_files": "empty"],
      ["method": "POST", "relative_url": "me/photos", "attached_files": ["cat1": "source"]],
    ]

    let answer = try await Sandbox(.with { _ in }).serving { sandbox in
      var body: [UInt8] = []
      func part(_ name: String, _ contents: [UInt8], file: Bool = true) {
        let fileName = file ? "; filename=\"\(name).png\"\r\nContent-Type: image/png" : ""
        body += Array(
          "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\(fileName)\r\n\r\n".utf8)
        body += contents + [13, 10]
      }
      part("access_token", Array(sandbox.tokens[0].token.utf8), file: false)
      part("batch", Array(batch.serialized().utf8), file: false)
      // Bytes that look like a boundary.
      part("cat1", [0x89, 0x50, 13, 10, 45, 45, 88, 89, 13, 10, 0, 255])
      part("cat2", Array(repeating: 7, count: 100_000))
      part("with.dot", [1])
      part("empty", [])
      body += Array("--XX--\r\n".utf8)
      return try await LoopbackClient.send(
        "POST", "/", headers: ["Content-Type: multipart/form-data; boundary=XX"], body: body,
        to: sandbox)
    }

    let items = try #require(JSON(parsing: answer.body).array).map { Item(json: $0) }
    #expect(items.map(\.code) == [200, 200, 400, 400, 400, 200])
    #expect(items[0].body?.object?.names == ["id", "post_id"])
    #expect(items[2].error?["message"] == "File dog has not been attached")
    #expect(items[2].error?["type"] == "GraphBatchException")
    #expect(items[3].error?["message"] == "File with.dot has not been attached")
    #expect(items[4].error?["error_subcode"] == 1_366_046)
  }

  @Test func `a single photo is the part source`() async throws {
    let answers = try await Sandbox(.with { _ in }).serving { sandbox in
      let token = sandbox.tokens[0].token
      let body =
        "--XX\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\nHi\r\n"
        + "--XX\r\nContent-Disposition: form-data; name=\"source\"; filename=\"a.png\"\r\n\r\n"
        + "not really a picture\r\n--XX--\r\n"
      let photo = try await LoopbackClient.send(
        "POST", "/me/photos",
        headers: [
          "Content-Type: multipart/form-data; boundary=XX", "Authorization: Bearer \(token)",
        ], body: Array(body.utf8), to: sandbox)
      let read = try await LoopbackClient.send(
        "GET", "/me/photos?limit=1&access_token=\(token)", to: sandbox)
      return [photo, read]
    }

    #expect(answers.map(\.status) == [200, 200])
    #expect(try JSON(parsing: answers[1].body)["data"]?[0]?["name"] == "Hi")
  }

  @Test func `single reads, writes and deletions work over HTTP`() async throws {
    let statuses = try await Sandbox(.with { _ in }).serving { sandbox in
      let token = sandbox.tokens[0].token
      let bearer = ["Authorization: Bearer \(token)"]
      let post = try await LoopbackClient.send(
        "POST", "/v25.0/me/feed", headers: ["Content-Type: application/x-www-form-urlencoded"],
        body: Array("message=Hello&access_token=\(token)".utf8), to: sandbox)
      let id = try JSON(parsing: post.body)["id"]?.string ?? ""
      var statuses = [post.status]
      for (method, path) in [
        ("GET", "/\(id)"), ("POST", "/\(id)?method=delete"), ("GET", "/\(id)"), ("HEAD", "/me"),
        ("OPTIONS", "/me"),
      ] {
        let answer = try await LoopbackClient.send(method, path, headers: bearer, to: sandbox)
        statuses.append(answer.status)
      }
      return statuses
    }

    #expect(statuses == [200, 200, 200, 400, 200, 200])
  }
}
