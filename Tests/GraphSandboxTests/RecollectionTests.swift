import JSONPath
import Testing

@testable import GraphSandbox

extension Dice {
  fileprivate mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}

/// What a sandbox knows of earlier batches saves time, and changes nothing.
struct RecollectionTests {
  private static let addresses = [
    "me", "me?fields=id", "me?fields=id,name,email", "v25.0/me?fields=id", "v19.0/me", "v1/me",
    "me/feed?limit=2", "me/feed?fields=message,comments.summary(true)", "me/accounts",
    "me/permissions", "me/friends?limit=3&offset=2", "me/picture?redirect=0", "nobody", "",
    "122000000000023?fields=id,name", "122000000000023/feed", "?ids=me,122000000000023",
    "me?fields=wrong", "me?fields=id&debug=all", "me?fields=id&include_headers=false",
    "122000000000002_122000000000093", "oauth/access_token?grant_type=client_credentials",
    "debug_token?input_token=x", "me?fields=%7B", "me?access_token=x",
  ]
  private static let writes: [JSON] = [
    ["method": "POST", "relative_url": "me/feed", "body": "message=Hello"],
    ["method": "DELETE", "relative_url": "me/permissions/email"],
    ["method": "DELETE", "relative_url": "122000000000002_122000000000093"],
    ["method": "POST", "relative_url": "122000000000023/likes"],
    ["method": "POST", "relative_url": "122000000000004/comments", "body": "message=x"],
    ["method": "GET", "relative_url": "me", "name": "a", "omit_response_on_success": false],
    ["method": "GET", "relative_url": "{result=a:$.id}?fields=id"],
    [
      "method": "GET", "relative_url": "me?fields=id",
      "headers": ["If-None-Match: \"b5b8f1c4\"", "If-None-Match: *"],
    ],
  ]

  private static func batch(_ dice: inout Dice) -> JSON {
    let count = 1 + dice.roll(8)
    return .array(
      (0..<count).map { _ in
        guard dice.roll(10) > 0 else { return writes[dice.roll(writes.count)] }
        return [
          "method": "GET", "relative_url": .string(addresses[dice.roll(addresses.count)]),
        ]
      }
    )
  }

  @Test func `a batch is answered the same whether its operations are known or not`() throws {
    var dice = Dice(seed: 1)
    for round in 0..<3 {
      var plain = try Rehearsal(seed: UInt64(round))
      var knowing = plain
      let known = KnownOperations()
      for number in 0..<120 {
        let token = dice.roll(4) == 0 ? plain.pageToken : plain.token
        let parameters = dice.roll(2) == 0 ? [] : [("include_headers", "false")]
        let form = Rehearsal.form(
          [("access_token", token), ("batch", Self.batch(&dice).serialized())] + parameters
        )
        let target = dice.roll(3) == 0 ? "/v24.0" : "/"
        let call = HTTPCall(method: "POST", target: target, body: Array(form.utf8))
        // Many calls come within one second.
        let time = 1_800_000_000 + number / 40 * 3_000_000
        let (expected, expectedLog) = plain.world.answer(GraphCall(call), at: time)
        let (answer, log) = knowing.world.answer(GraphCall(call, known: known), at: time)
        #expect(answer.text == expected.text)
        #expect(answer.headers.map(\.value) == expected.headers.map(\.value))
        #expect(log.told == expectedLog.told)
        // The log reads the operations again from the batch's text.
        #expect(log.compact.told == expectedLog.told)
      }
    }
  }

  @Test func `a read is recalled until the world changes or a second passes`() throws {
    var rehearsal = try Rehearsal()
    let known = KnownOperations()
    let batch: JSON = [["method": "GET", "relative_url": "me?fields=id"]]
    let form = Rehearsal.form([
      ("access_token", rehearsal.token), ("batch", batch.serialized()),
    ])
    let http = HTTPCall(method: "POST", target: "/", body: Array(form.utf8))
    // What is asked once is not kept.
    _ = GraphCall(http, known: known)
    let call = GraphCall(http, known: known)
    guard case .batch(let read) = call.kind, let request = read.items.first?.request else {
      Issue.record("no batch")
      return
    }
    let session = try rehearsal.world.session(for: rehearsal.token, proof: nil)
    let other = try rehearsal.world.session(for: rehearsal.pageToken, proof: nil)
    _ = rehearsal.world.answer(call, at: 1_800_000_000)
    #expect(rehearsal.world.recall(request, session) != nil)
    #expect(rehearsal.world.recall(request, other) == nil)
    rehearsal.world.now += 1
    #expect(rehearsal.world.recall(request, session) == nil)
    _ = rehearsal.world.answer(call, at: 1_800_000_001)
    #expect(rehearsal.world.recall(request, session) != nil)
    rehearsal.world.permissions[rehearsal.alex] = []
    #expect(rehearsal.world.recall(request, session) == nil)
  }

  @Test func `an operation that is asked again is kept for each version of its call`() throws {
    let known = KnownOperations()
    func item(_ target: String) throws -> BatchItem {
      let form = Rehearsal.form([
        ("access_token", "x"), ("batch", #"[{"method":"GET","relative_url":"me"}]"#),
      ])
      let call = GraphCall(
        HTTPCall(method: "POST", target: target, body: Array(form.utf8)),
        known: known
      )
      guard case .batch(let batch) = call.kind else { throw SandboxFailure("no batch") }
      return try #require(batch.items.first)
    }
    #expect(try item("/") !== item("/"))
    #expect(try item("/") === item("/"))
    #expect(try item("/") !== item("/v24.0"))
    #expect(try item("/v24.0").request?.version == "v24.0")
  }
}
