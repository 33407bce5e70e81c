import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The source of a value makes it a secret, never its form.
struct TaintedValueTests {
  static let texts = [
    "see ?access_token=zzz", "EAA" + String(repeating: "x1", count: 20),
    "1234567|" + String(repeating: "ab12", count: 6), #"{"client_secret": "x"}"#, "***",
    "https://a.example/?page_token=1&b=2",
  ]

  /// The parameters that were sent with `post`.
  private func sent(_ run: Simulation, to path: String) -> [[BatchOperation.Parameter]] {
    run.calls.flatMap(\.operations).filter { $0.path == path }.map(\.parameters)
  }

  @Test(arguments: texts)
  func `text that resembles a token is sent unchanged and masked in output`(_ text: String) throws {
    let quoted = JSON.string(text).serialized()
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {note: string}
        requests:
          source: {get: source, batch: alone}
          rows:
            for_each: {file: rows.csv}
            post: rows
            params: {part: "f {item=$.t}", whole: "{item=$.t}", deep: {x: ["{item=$.t}"]}}
          given: {post: given, params: {part: "f {input=note}", whole: "{input=note}"}}
          copied: {post: copied, params: {part: "f {result=source:$.m}", whole: "{result=source:$.m}"}}

        """), inputs: [("note", text)])
    run.items[0] = [["t": .string(text)]]
    run.answering(["source": "{\"m\":\(quoted)}"])

    #expect(try run.run()?.status == .succeeded)
    for path in ["rows", "given", "copied"] {
      let values = sent(run, to: path).first?.map(\.value) ?? []
      #expect(values.prefix(2) == ["f " + text, text], "\(path)")
      if values.count > 2 { #expect(values[2] == "{\"x\":[\(quoted)]}") }
    }
    #expect(run.journaled.contains(quoted.dropFirst().dropLast()) == (text == "***"))
  }

  @Test(arguments: [
    "{item=$.row}", "x {item=$.row}", "{item}", "{item=$.*}",
  ])
  func `a value under a token's name is not sent, and the request has the reason`(
    _ reference: String
  ) throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          rows:
            for_each: [{id: 1, row: {page_token: "secret-of-a-row"}}]
            post: rows
            params: {message: "\(reference)"}

        """))

    #expect(try run.run()?.status == .failed)
    #expect(run.calls.isEmpty)
    #expect(run.outcomes["rows[0]"]?.failure?.reason == .policy)
    #expect(!run.journaled.contains("secret-of-a-row"))
  }

  @Test func `an input with a token's name is a secret`() {
    let text = """
      graphflow: 1
      inputs: {page_token: string}
      requests:
        a: {post: a, params: {message: "{input=page_token}"}}

      """

    let (_, findings) = Workflow.reading(SourceFile(path: "a.yaml", bytes: Array(text.utf8)))

    #expect(findings.map(\.rule) == ["secret-leak"])
  }

  @Test func `an answer that repeats the token in use is not forwarded`() throws {
    var run = try Simulation(
      workflow(requests: [
        "source: {get: source, batch: alone}",
        "copy: {post: copy, params: {message: \"{result=source:$.paging.next}\"}}",
      ]))
    run.answering([
      "source": #"{"paging":{"next":"https://h/me?access_token=token-of-default&after=1"}}"#
    ])

    #expect(try run.run()?.status == .failed)
    #expect(run.calls.count == 1)
    #expect(run.reason("copy") == "policy")
    #expect(!run.journaled.contains("token-of-default"))
  }

  @Test func `an item of an answer that repeats the token in use is not forwarded`() throws {
    var run = try Simulation(
      workflow(requests: [
        "source: {get: source, batch: alone}",
        "copy: {for_each: \"{result=source:$.data[*]}\", post: copy, "
          + "params: {message: \"{item=$.note}\"}}",
      ]))
    run.answering(["source": #"{"data":[{"note":"a token-of-default b"},{"note":"fine"}]}"#])

    #expect(try run.run()?.status == .failed)
    #expect(sent(run, to: "copy").map { $0.map(\.value) } == [["fine"]])
    #expect(run.outcomes["copy[0]"]?.failure?.reason == .policy)
    #expect(!run.journaled.contains("token-of-default"))
  }

  @Test func `a value that the journal has masked is never sent as stars`() throws {
    let workflow = try workflow(requests: [
      "first: {post: first, batch: alone}",
      "second: {post: second, params: {message: \"{result=first:$.m}\"}}",
      "third: {post: third, params: {message: \"{result=first:$.id}\"}}",
    ])
    var first = try Simulation(workflow)
    first.answering(["first": #"{"id":"7","m":"see ?access_token=zzz"}"#])
    _ = try first.run(killedAtCall: 2)
    let journaled = first.events.filter { event in
      if case .callStarted(let call) = event { call.number < 2 } else { true }
    }

    var second = try Simulation(workflow, replaying: journaled)
    second.answering([:])
    _ = try second.run()

    #expect(second.calls.flatMap(\.operations).map(\.path) == ["third"])
    #expect(second.reason("second") == "unresolved_reference")
    #expect(second.outcomes["second"]?.failure?.error.message.contains("journal") == true)
  }

  @Test func `a link to the next page keeps a cursor with a token's name`() throws {
    var run = try Simulation(workflow(requests: ["all: {get: all, paginate: true}"]))
    run.callFault = { call in
      let isFirst = call.operations[0].parameters.isEmpty
      let next = #","paging":{"next":"https://h/all?page_token=p2&access_token=x&after=y"}"#
      let body = #"{"data":[1]\#(isFirst ? next : "")}"#
      return .answered(
        .items([
          .response(OperationResponse(code: 200, body: ResponseBody(Array(body.utf8))))
        ]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.last?.operations[0].parameters.map(\.name) == ["page_token", "after"])
  }
}
