import GraphSandbox
import Testing

/// The examples of the library's documentation; `CatalogueTests` holds that they are the same.
@Suite struct ExampleTests {
  private func publish(
    _ message: String, to sandbox: RunningSandbox, with token: String
  ) async throws {
    let body = Array("message=\(message)&access_token=\(token)".utf8)
    let form = ["Content-Type: application/x-www-form-urlencoded"]
    let answer = try await LoopbackClient.send(
      "POST", "/v25.0/me/feed", headers: form, body: body, to: sandbox)
    #expect(answer.status == 200)
  }

  @Test func `a sandbox serves and reports its calls`() async throws {
    let calls = try await Sandbox(.init()).serving { sandbox in
      try await publish("Hello", to: sandbox, with: sandbox.tokens[1].token)
      return await sandbox.calls()
    }

    #expect(calls.count == 1)
    #expect(calls.first?.operations.first?.isApplied == true)
  }

  @Test func `a world is described`() async throws {
    var world = WorldDescription()
    world.users = [.init("ana", WorldDescription.User(name: "Ana"))]
    world.pages = [.init("bakery", WorldDescription.Page(name: "Bakery"))]
    world.tokens = [.init("ana", WorldDescription.Token(.user("ana")))]
    var configuration = Sandbox.Configuration()
    configuration.world = world
    configuration.seed = 7

    let names = try await Sandbox(configuration).serving { sandbox in
      sandbox.tokens.map(\.name)
    }
    #expect(names == ["ana"])
  }
}
