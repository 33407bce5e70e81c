import JSONPath
import Testing

@testable import GraphSandbox

struct HostileInputTests {
  /// The statuses that answers to invalid requests may have.
  private static let refusals: Set<Int> = [200, 302, 304, 400, 403, 413]

  private static let seeds: [(target: String, type: String, body: String)] = [
    ("/?access_token=%T", "", "batch=[{\"relative_url\":\"me\"},{\"name\":\"a\"}]"),
    ("/v25.0/me/feed?fields=a.limit(1){b,c}&limit=3&after=QVFI00000001ZD&access_token=%T", "", ""),
    ("/?ids=me,122000000000003&access_token=%T", "", ""),
    (
      "/", "application/json",
      #"{"access_token":"%T","batch":[{"relative_url":"{result=a:$.x[0:1]}","headers":["a: b"]}]}"#
    ),
    (
      "/", "multipart/form-data; boundary=XX",
      "--XX\r\nContent-Disposition: form-data; name=\"batch\"\r\n\r\n[{}]\r\n--XX\r\n"
        + "Content-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\nabc\r\n--XX--"
    ),
    ("/me/photos?access_token=%T", "", "url=https://x&fields=images{source}&published=0"),
  ]

  @Test(arguments: 0..<20)
  func `mutated requests have answers and never trap`(round: Int) throws {
    var sandbox = try InProcessSandbox()
    var generator = SeededGenerator(seed: UInt64(round) &+ 1)
    for _ in 0..<400 {
      let seed = try #require(Self.seeds.randomElement(using: &generator))
      let fill = { (text: String) in text.replacing("%T", with: sandbox.token) }
      let call = HTTPCall(
        method: ["GET", "POST", "POST", "DELETE", "X"].randomElement(using: &generator) ?? "",
        target: String(
          decoding: Self.mutated(Array(fill(seed.target).utf8), &generator), as: UTF8.self),
        contentType: seed.type.isEmpty
          ? nil : String(decoding: Self.mutated(Array(seed.type.utf8), &generator), as: UTF8.self),
        body: Self.mutated(Array(fill(seed.body).utf8), &generator))

      let answer = sandbox.send(call)

      #expect(Self.refusals.contains(answer.status), "\(call)")
      #expect(answer.body.isEmpty || (try? JSON(parsing: answer.body)) != nil, "\(answer.text)")
    }
  }

  private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: index)
      case 2: bytes.removeLast(bytes.count - index)
      case 3: bytes.insert(contentsOf: bytes[index...].prefix(40), at: index)
      case 4:
        let special = Array("{}[]()\"'\\,.:;=&?%/*$-\r\n\0".utf8)
        bytes.insert(special.randomElement(using: &generator) ?? 0, at: index)
      default:
        let number = ["9223372036854775807", "-1", "1e999", "99999999999999999999", "null"]
        bytes.insert(contentsOf: (number.randomElement(using: &generator) ?? "").utf8, at: index)
      }
    }
    return bytes
  }

  static let bodies: [(name: String, body: String, status: Int)] = [
    ("truncated", #"[{"relative_url":"me"},{"rel"#, 400),
    ("nested", String(repeating: "[", count: 100_000), 400),
    ("nested objects", String(repeating: #"{"a":"#, count: 100_000), 400),
    (
      "ten thousand operations",
      "[" + Array(repeating: #"{"relative_url":"me"}"#, count: 10_000).joined(separator: ",") + "]",
      400
    ),
    ("nested values", #"[{"relative_url":[[[[["# + "]]]]]}]", 200),
    (
      "odd types", #"[{"method":1,"relative_url":{},"body":[],"name":null,"depends_on":null}]"#, 200
    ),
    (
      "open references",
      #"[{"relative_url":""# + String(repeating: "{result=a:[", count: 20_000)
        + #""}]"#, 200
    ),
    (
      "many selectors",
      #"[{"relative_url":"me","name":"a"},{"relative_url":"x{result=a:$..[0"#
        + String(repeating: ",0", count: 2_000) + #"]}"}]"#, 200
    ),
  ]

  @Test(arguments: bodies)
  func `hostile batches are refused or survived`(name: String, body: String, status: Int) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("POST", "", [("batch", body)])

    #expect(answer.status == status)
  }

  @Test func `hostile parameters take linear time`() throws {
    var sandbox = try InProcessSandbox()
    let many = String(repeating: "a=1&", count: 200_000)
    let fields = String(repeating: "name.as(x){", count: 50_000)
    let slashes = String(repeating: "/", count: 200_000)

    let parameters = sandbox.send("POST", "me/feed?\(many)message=x")
    let nested = sandbox.send("POST", "me/feed", [("message", "y"), ("fields", fields)])
    let path = sandbox.send("GET", slashes)

    #expect(parameters.status == 200)
    #expect(nested.status == 400)
    #expect(path.status == 400)
    #expect(path.body.count < 2_000)
  }

  @Test func `random bytes on the socket get a bad request or a closed connection`() async throws {
    let statuses = try await Sandbox(.with { _ in }).serving { sandbox in
      var generator = SeededGenerator(seed: 7)
      var statuses: Set<Int> = []
      for length in [1, 20, 500, 5_000] {
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        statuses.insert(
          try await LoopbackClient.send(raw: noise + [13, 10, 13, 10], to: sandbox).status)
        let body = try await LoopbackClient.send(
          "POST", "/?access_token=\(sandbox.tokens[0].token)",
          headers: ["Content-Type: application/json"], body: noise, to: sandbox)
        statuses.insert(body.status)
      }
      let alive = try await LoopbackClient.send(
        "GET", "/me?access_token=\(sandbox.tokens[0].token)", to: sandbox)
      #expect(alive.status == 200)
      return statuses
    }

    #expect(statuses.isSubset(of: [0, 400]))
  }

  @Test(arguments: [
    ("br", [31, 139, 8]), ("gzip", [1, 2, 3, 4, 5, 6, 7, 8, 9]), ("x", [65]), ("x-gzip", [65]),
    ("gzip", Array(Gzip.storing([65]).dropLast(3))), ("gzip", Gzip.storing([65]) + [66]),
  ])
  func `a body in an unknown or broken encoding is refused as unreadable`(
    encoding: String, body: [UInt8]
  ) async throws {
    let answer = try await Sandbox(.with { _ in }).serving { sandbox in
      try await LoopbackClient.send(
        "POST", "/", headers: ["Content-Encoding: \(encoding)"], body: body, to: sandbox)
    }

    #expect(answer.status == 400)
    #expect(answer.body.contains("The body of the request cannot be read"))
    #expect(answer.header("X-GraphFlow-Sandbox") == "invented")
  }
}
