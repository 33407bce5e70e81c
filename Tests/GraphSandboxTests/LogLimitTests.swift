import Testing

@testable import GraphSandbox

/// The log of a sandbox that serves for long is bounded.
struct LogLimitTests {
  @Test(arguments: [(0, [Int]()), (1, [5]), (3, [3, 4, 5]), (100, [1, 2, 3, 4, 5])])
  func `the log drops its older half`(_ limit: Int, _ numbers: [Int]) async throws {
    let kept = try await Sandbox(.with { $0.logLimit = limit }).serving { sandbox in
      for _ in 0..<5 { _ = try await LoopbackClient.send("GET", "/v25.0/me", to: sandbox) }
      return await sandbox.calls().map(\.number)
    }

    #expect(kept == numbers)
  }

  @Test func `the log drops its older half if few calls take much memory`() throws {
    var sandbox = try InProcessSandbox()
    var log = CallLog(limit: 1_000_000)
    let address = "me?x=" + String(repeating: "x", count: 60_000)
    let form = InProcessSandbox.form([
      ("access_token", sandbox.token),
      ("batch", #"[{"method":"GET","relative_url":"\#(address)"}]"#),
    ])
    let http = HTTPCall(method: "POST", target: "/", body: Array(form.utf8))
    let (_, call) = sandbox.world.answer(GraphCall(http))
    #expect((8_000..<10_000).contains(call.size))
    for _ in 0..<10_000 { log.append(call) }
    #expect((1_500..<4_200).contains(log.calls.count), "\(log.calls.count)")
    #expect(log.last(1).first?.operations.first?.relativeURL.hasPrefix("me?x=xxx") == true)
  }
}
