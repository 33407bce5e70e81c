import GraphSandbox
import Testing

/// The log of a sandbox that serves for long does not grow without end.
struct LogLimitTests {
  @Test(arguments: [(0, [Int]()), (1, [5]), (3, [3, 4, 5]), (100, [1, 2, 3, 4, 5])])
  func `the log forgets its older half`(_ limit: Int, _ numbers: [Int]) async throws {
    let kept = try await Sandbox(.init(logLimit: limit)).serving { sandbox in
      for _ in 0..<5 { _ = try await LoopbackClient.send("GET", "/v25.0/me", to: sandbox) }
      return await sandbox.calls().map(\.number)
    }

    #expect(kept == numbers)
  }
}
