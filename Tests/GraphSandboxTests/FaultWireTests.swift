import GraphSandbox
import JSONPath
import NIOCore
import Testing

/// Faults that are visible only in HTTP.
struct FaultWireTests {
  private static func answer(_ fault: CallFault) async throws -> LoopbackClient.Answer {
    var configuration = Sandbox.Configuration()
    configuration.faults = FaultPlan([FaultRule(.call(fault))])
    return try await Sandbox(configuration).serving { sandbox in
      let token = sandbox.tokens[0].token
      return try await LoopbackClient.send(
        "GET", "/me?fields=id,name&access_token=\(token)", to: sandbox)
    }
  }

  private static let body = "{\"id\":\"122000000000002\",\"name\":\"Alex Taylor\"}"

  @Test func `a dropped connection has no byte`() async throws {
    let answer = try await Self.answer(.dropped(.applied))
    #expect(answer.status == 0 && answer.head.isEmpty)
  }

  @Test func `a cut answer has its length and the first bytes`() async throws {
    let answer = try await Self.answer(.cut(after: 7))
    #expect(answer.header("content-length") == "\(Self.body.utf8.count)")
    #expect(answer.body == Self.body.prefix(7))
  }

  @Test func `a truncated answer agrees with its length`() async throws {
    let answer = try await Self.answer(.truncated(to: 7))
    #expect(answer.header("content-length") == "7" && answer.body == Self.body.prefix(7))
  }

  @Test(arguments: [5, -5])
  func `a wrong length is wrong`(_ difference: Int) async throws {
    let answer = try await Self.answer(.wrongLength(by: difference))
    #expect(answer.header("content-length") == "\(Self.body.utf8.count + difference)")
    #expect(answer.body == Self.body)
  }

  @Test func `a slow answer is complete`() async throws {
    let answer = try await Self.answer(.dripping(bytes: 7, pause: .milliseconds(1)))
    #expect(answer.body == Self.body)
    #expect(try await Self.answer(.delayed(.milliseconds(1))).body == Self.body)
  }

  @Test func `a padded answer has as many bytes as asked for`() async throws {
    let answer = try await Self.answer(.padded(to: 200_000))
    #expect(answer.body.utf8.count == 200_000 && answer.body.hasPrefix(Self.body + "  "))
    #expect(try await Self.answer(.padded(to: 3)).body == Self.body)
  }

  @Test func `a proxy's page is not JSON`() async throws {
    let answer = try await Self.answer(.page(status: 502, .notApplied))
    #expect(answer.status == 502 && answer.header("content-type") == "text/html")
  }
}
