import JSONPath
import Testing

@testable import GraphSandbox

/// Broken requests over the wire: a twentieth of those in process, in one world without faults.
///
/// They have a suite of their own, because their buffers would hide the growth of memory there.
struct WireFuzzTests {
  @Test func `broken requests have valid answers, compressed, too`() async throws {
    let wanted = RequestFuzzTests.number("GRAPHFLOW_FUZZ")
    let seed = UInt64(RequestFuzzTests.number("GRAPHFLOW_FUZZ_SEED") ?? 1)
    try await Sandbox(.with { $0.world = SeedRequest.world }).serving { sandbox in
      let tokens = Dictionary(uniqueKeysWithValues: sandbox.tokens.map { ($0.name, $0.token) })
      var mutator = RequestMutator(
        seed: seed, token: tokens["page"] ?? "", applicationToken: tokens["app"] ?? "")
      var answered: [Int: Int] = [:]
      let count = (wanted ?? 4_000) / 20
      for number in 0..<count {
        let (call, bytes, what) = mutator.nextOnWire()
        let answer = try await LoopbackClient.send(raw: bytes, to: sandbox)
        answered[answer.status, default: 0] += 1
        let json = try? JSON(parsing: Array(answer.body.utf8))
        mutator.learn(from: json, to: call)
        let isValid = answer.body.isEmpty || json != nil
        guard RequestFuzzTests.statuses.contains(answer.status), isValid else {
          Issue.record("seed \(seed), number \(number): \(what)\n\(answer)")
          return
        }
      }
      #expect(
        (answered[200] ?? 0) > count / 20 && (answered[400] ?? 0) > count / 20, "\(answered)")
      if wanted != nil { print("fuzzed the wire: \(answered.sorted { $0.key < $1.key })") }
    }
  }

  @Test func `a compressed body that grows without end is refused`() async throws {
    let (bomb, next) = try await Sandbox(.with { _ in }).serving { sandbox in
      let headers = ["Content-Encoding: gzip"]
      let bomb = try await LoopbackClient.send(
        "POST", "/me/feed", headers: headers, body: Gzip.bomb(300 << 20), to: sandbox)
      let target = "/me?access_token=\(sandbox.tokens[0].token)"
      let next = try await LoopbackClient.send(
        "POST", target, headers: headers, body: Gzip.storing(Array("method=get".utf8)), to: sandbox)
      return (bomb, next)
    }

    #expect(bomb.status == 413)
    #expect(next.status == 200)
  }
}
