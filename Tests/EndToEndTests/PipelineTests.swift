import CommandHarness
import GraphAPI
import GraphFlow
import GraphSandbox
import TestSupport
import Testing

/// The library's four steps, as an embedding program calls them.
@Suite struct PipelineTests {
  private static let workflow = """
    graphflow: 1
    inputs:
      message: {type: string}
    requests:
      status-post:
        post: me/feed
        params: {message: "{input=message}"}
        permissions: [pages_manage_posts]
        idempotent: false
      read-back:
        get: "{result=status-post:$.id}"
        params: {fields: message}
        expect:
          - $.message == {input=message}
    """

  @Test func `a workflow is loaded, planned, run and reported`() async throws {
    let source = SourceFile(path: "greeting.yaml", bytes: Array(Self.workflow.utf8))
    let (loaded, diagnostics) = Pipeline.load(source)
    let workflow = try #require(loaded, "\(diagnostics)")
    let plan = Pipeline.plan(workflow)
    #expect((plan.operationCount, plan.rounds) == (2, 1))
    let (values, problems) = InputValues.resolving(
      workflow, flags: [("message", "Hello")], file: nil, environment: [:])
    let inputs = try #require(values, "\(problems)")
    let folder = try TemporaryFolder()
    let report = try await Sandbox(.init()).serving { sandbox in
      let url = try #require(GraphURL(sandbox.url))
      let token = try #require(sandbox.tokens.last.flatMap { AccessToken($0.token) })
      return try await HTTPClientTransport.withTransport { transport in
        var generator = SystemRandomNumberGenerator()
        return try await Pipeline.run(
          workflow, inputs: inputs, token: token, over: transport, at: url,
          stateDirectory: folder.path + "/state", now: 1_768_478_400_000, using: &generator,
          readFile: { _ in [] })
      }
    }
    #expect((report.status, report.exitCode) == (.succeeded, 0))
    #expect(report.summary.succeeded == 2)
    #expect(report.summary.calls == 1)
  }

  @Test func `the errors of a file are returned with their locations`() {
    let source = SourceFile(path: "a.yaml", bytes: Array("graphflow: 1\n".utf8))
    let (workflow, diagnostics) = Pipeline.load(source)
    #expect(workflow == nil)
    #expect(diagnostics.map(\.rule) == ["missing-key"])
    #expect(diagnostics.map(\.severity) == [.error])
  }
}
