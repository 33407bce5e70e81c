import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The value that `token:` refers to is a token, whatever its name and form.
struct TokenMarksTests {
  private static let token = "ordinary-looking-words"

  @Test(arguments: [
    (
      #"{get: me, token: "{result=source:$.data[1].tok}"}"#,
      #"{"data":[{"tok":"x"},{"tok":"ordinary-looking-words"}],"again":"ordinary-looking-words"}"#
    ),
    (
      #"{for_each: "{result=source:$.data[*]}", get: me, token: "{item=$.tok}"}"#,
      #"{"data":[{"tok":"ordinary-looking-words"}]}"#
    ),
    (
      #"{for_each: "{result=source:$.data}", get: me, token: "{item=$.a.tok}"}"#,
      #"{"data":[{"a":{"tok":"ordinary-looking-words"}}]}"#
    ),
  ])
  func `a token from an answer is in no event`(_ user: String, _ body: String) throws {
    var run = try Simulation(
      workflow(requests: ["source: {get: source, batch: alone}", "user: \(user)"]))
    run.answering(["source": body, "me": #"{"ordinary-looking-words":["ordinary-looking-words"]}"#])

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.count == 2)
    #expect(!run.journaled.contains(Self.token))
  }

  @Test func `a token from a list input or a row is in no event`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {people: list, note: string}
        requests:
          people:
            for_each: "{input=people}"
            key: "{item=$.id}"
            get: me
            token: "{item=$.tok}"
          rows: {for_each: [{tok: other-plain-words}], get: me, token: "{item=$.tok}"}

        """),
      inputs: [
        ("people", #"[{"id":"1","tok":"ordinary-looking-words"}]"#),
        ("note", "it is ordinary-looking-words"),
      ])
    run.answering(["me": #"{"a":"ordinary-looking-words","b":"x other-plain-words"}"#])

    #expect(try run.run()?.status == .succeeded)
    #expect(!run.journaled.contains(Self.token))
    #expect(!run.journaled.contains("other-plain-words"))
  }

  @Test(arguments: [
    #"[{"id":"7","tok":"ordinary-looking-words"}]"#
  ])
  func `a key that equals the token is refused, before and during a run`(_ rows: String) throws {
    let workflow = try workflow(
      """
      graphflow: 1
      inputs: {people: list}
      requests:
        people: {for_each: "{input=people}", key: "{item=$.tok}", get: me, token: "{item=$.tok}"}

      """)
    var run = try Simulation(workflow, inputs: [("people", rows)])
    let inputs = InputValues.resolving(
      workflow, flags: [("people", rows)], file: nil, environment: [:]
    ).values
    let keys = ItemKeys(
      of: workflow, inputs: inputs,
      run: RunIdentity(id: SampleRuns.id, startedAt: SampleRuns.timestamp(0)))
    let row = try JSON(parsing: rows)[0] ?? .null

    #expect(throws: ItemsUnreadable.self) { try keys.key(of: row, at: 0, in: 0) }
    #expect(try run.run()?.status == .failed)
    #expect(run.calls.isEmpty)
    #expect(run.outcomes.values.map(\.failure) == [Failure.secretKey])
    #expect(!run.journaled.contains(Self.token))
  }

  @Test func `the app's secret and the proofs of all tokens are in no event`() throws {
    let secret = try #require(AppSecret("0123456789abcdef0123456789abcdef"))
    let token = try #require(AccessToken("token-of-default"))
    let proof = secret.proof(for: token)
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests: {a: {get: a}}
        outputs: {all: "{result=a}"}

        """), app: (secret, nil))
    run.callFault = { _ in
      let usage = #"{"\#(proof)":[{"type":"\#(proof)","call_count":1}]}"#
      let body = #"{"\#(proof)":"0123456789abcdef0123456789abcdef","n":["\#(proof)"]}"#
      return .answered(
        .items([
          .response(OperationResponse(code: 200, body: ResponseBody(Array(body.utf8))))
        ]),
        CallFacts(
          status: 200, bytesSent: 0, bytesReceived: 0,
          usage: Usage(
            headers: [HeaderField("X-Business-Use-Case-Usage", usage)].compactMap(\.self))))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(!run.journaled.contains(proof))
    #expect(!run.journaled.contains("0123456789abcdef"))
    #expect(run.outcomes["a"]?.isTainted == true)
  }
}
