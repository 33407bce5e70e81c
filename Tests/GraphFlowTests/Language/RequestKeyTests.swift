import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The effect of each key of a request on its operation and its outcome.
struct RequestKeyTests {
  @Test func `the verb and the path are sent as written`() throws {
    var run = try Simulation(
      workflow(requests: [
        "g: {get: /me/feed?limit=3, params: {fields: id}}", "p: {post: me/feed, params: {m: hi}}",
        "d: {delete: '4_2', params: {x: 1}}",
      ]))
    run.answering([:])

    _ = try run.run()

    #expect(run.sent == ["GET me/feed?limit=3 fields=id", "POST me/feed m=hi", "DELETE 4_2 x=1"])
  }

  @Test func `parameters hold templates at any depth, and lists and maps are sent as JSON`() throws
  {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {c: {type: string, default: DE}}
        requests:
          p:
            post: p
            params: {targeting: {geo: {countries: [US, "{input=c}"]}, any: ~}, list: [1, "x{input=c}"], t: true, n: 1.50}
        """))
    run.answering([:])

    _ = try run.run()

    #expect(
      run.sent == [
        #"POST p targeting={"geo":{"countries":["US","DE"]},"any":null} list=[1,"xDE"] t=true n=1.50"#
      ])
  }

  @Test func `headers, version and token apply to one operation`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        version: v24.0
        token: editor
        defaults: {headers: {X-All: a, X-Some: b}}
        requests:
          plain: {get: a}
          own: {get: b, version: v23.0, token: other, headers: {x-some: "{run=id}", If-None-Match: e}}
          alone: {get: c, batch: alone}
        """))
    run.answering([:])
    var batchVersions: [String] = []
    let answer = run.callFault
    run.callFault = { call in
      switch call.content {
      case .batch(let batch):
        batchVersions.append(
          "batch \(batch.version) \(batch.accessToken == AccessToken("token-of-editor"))")
      case .single(let single): batchVersions.append("single \(single.version)")
      }
      return answer(call)
    }

    _ = try run.run()

    let operations = run.calls.flatMap(\.operations)
    #expect(batchVersions.sorted() == ["batch v24.0 true", "single v24.0"])
    #expect(operations.map(\.path).sorted() == ["a", "b", "c"])
    let own = try #require(operations.first { $0.path == "b" })
    #expect(own.version == GraphVersion("v23.0"))
    #expect(own.accessToken == AccessToken("token-of-other"))
    #expect(own.headers.map(\.name) == ["X-All", "x-some", "If-None-Match"])
    let plain = try #require(operations.first { $0.path == "a" })
    #expect(plain.accessToken == nil && plain.version != GraphVersion("v23.0"))
    #expect(plain.headers.map(\.value) == ["a", "b"])
  }

  @Test func `by default the token is that of the default profile`() throws {
    let workflow = try workflow(requests: ["a: {get: me}"])
    var run = try Simulation(workflow)
    var tokens: [AccessToken] = []
    run.callFault = { call in
      if case .batch(let batch) = call.content { tokens.append(batch.accessToken) }
      return nil
    }

    _ = try run.run()

    #expect(workflow.token == "default" && workflow.version == nil)
    #expect(tokens == [AccessToken("token-of-default")])
  }

  @Test(arguments: [
    ("a: {get: x}", 60), ("a: {get: x, timeout: 250ms}", 0), ("a: {get: x, timeout: 5m}", 300),
    ("a: {get: x, timeout: 2h}", 7200), ("a: {get: x, timeout: 30s}", 30),
  ])
  func `a timeout applies to the call, by default a minute`(
    _ request: String, _ seconds: Int64
  ) throws {
    var run = try Simulation(workflow(requests: [request]))
    var timeouts: [Duration] = []
    run.callFault = { call in
      timeouts.append(call.timeout)
      return nil
    }

    _ = try run.run()

    #expect(timeouts == [seconds == 0 ? .milliseconds(250) : .seconds(seconds)])
  }

  @Test func `a batch takes the longest timeout of its requests`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: x, timeout: 5s}", "b: {get: y, timeout: 2m}", "c: {get: z, timeout: 30s}",
      ]))
    var timeouts: [Duration] = []
    run.callFault = { call in
      timeouts.append(call.timeout)
      return nil
    }

    _ = try run.run()

    #expect(timeouts == [.seconds(120)])
  }

  @Test func `depends_on is order without data`() throws {
    var run = try Simulation(
      workflow(requests: [
        "last: {get: z, depends_on: [first, middle]}", "middle: {get: y, depends_on: [first]}",
        "first: {get: x}",
      ]))

    _ = try run.run()

    #expect(run.graph.ledger == ["GET x", "GET y", "GET z"])
  }

  @Test func `omit_response keeps the body out of report and journal, not out of the run`() throws {
    var run = try Simulation(
      workflow(requests: [
        "post: {post: me/feed, params: {message: hi}, omit_response: true}",
        "read: {get: \"{result=post:$.id}\"}",
        "later: {get: x, params: {id: \"{result=post:$['id','no']}\"}}",
      ]))

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.outcomes["post"]?.body == nil)
    #expect(run.outcomes["read"]?.body != nil)
    #expect(run.calls[0].operations[0].omitResponseOnSuccess == false)
    #expect(run.sent.last == "GET x id=id1")
  }

  @Test(arguments: [
    ("", true, ["GET person", "POST use id=person"]),
    ("outputs: {who: \"{result=person:$.id}\"}", false, ["GET person"]), ("", false, []),
  ])
  func `a resumed run reads an omitted answer again only if something needs it`(
    _ outputs: String, _ isKilled: Bool, _ sent: [String]
  ) throws {
    let text = """
      graphflow: 1
      requests:
        person: {get: person, omit_response: true, batch: alone}
        use: {post: use, params: {id: "{result=person:$.id}"}, batch: alone}
      \(outputs)

      """
    var run = try Simulation(workflow(text))
    run.answering([:])
    let end = try run.run(killedAtCall: isKilled ? 2 : .max)
    #expect((end == nil) == isKilled)

    // The process was killed before it sent the second call.
    let events = run.events.filter { !isKilled || !$0.isCallStart(2) }
    var resumed = try Simulation(workflow(text), replaying: events, at: .seconds(60))
    resumed.answering([:])

    let outcome = try #require(try resumed.run())
    #expect(outcome.status == .succeeded)
    #expect(resumed.sent == sent)
    #expect(outcome.outputs == end?.outputs ?? [:])
  }

  @Test func `a broken expectation does not show a value of an omitted answer`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: a, omit_response: true, expect: [\"$.id == 'b'\"], retry: false}"
      ]))
    run.answering(["a": #"{"id":"private"}"#])

    #expect(try run.run()?.status == .failed)
    #expect(run.outcomes["a"]?.expectations.map(\.passed) == [false])
    #expect(!run.journaled.contains("private"))
  }

  @Test func `a request with batch alone has an HTTP call of its own`() throws {
    var run = try Simulation(
      workflow(requests: ["a: {get: x}", "b: {get: y, batch: alone}", "c: {get: z, batch: auto}"]))

    _ = try run.run()

    #expect(
      run.calls.map { $0.operations.map(\.path) }.sorted { $0.count > $1.count } == [
        ["x", "z"], ["y"],
      ])
    #expect(run.calls.first { $0.operations.count == 1 }?.isSingle == true)
  }

  @Test func `files and headers are templates, names are not`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {photo: file, tag: string}
        requests:
          a: {post: me/photos, files: {source: "photos/{input=photo}"}, headers: {X-Tag: "<{input=tag}>"}}
        """), inputs: [("photo", "one.jpg"), ("tag", "t")], files: ["photos/one.jpg": [7]])

    _ = try run.run()

    let operation = try #require(run.calls.first?.operations.first)
    #expect(operation.files.map(\.partName) == ["source"])
    #expect(operation.files.map(\.contents) == [[7]])
    #expect(operation.headers.map(\.value) == ["<t>"])
    for text in ["depends_on: [\"{input=a}\"]", "params: {\"{input=a}\": 1}"] {
      let source = SourceFile(
        path: "x.yaml",
        bytes: Array("graphflow: 1\ninputs: {a: string}\nrequests: {r: {get: me, \(text)}}\n".utf8))
      #expect(Workflow.reading(source).workflow == nil, "\(text)")
    }
  }

  @Test func `the workflow's permissions are for requests with the workflow's token`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        token: editor
        permissions: [a]
        requests:
          plain: {get: x}
          more: {get: y, permissions: [b]}
          own: {get: z, token: other}
          both: {get: v, token: other, permissions: [b]}
        """))
    run.graph.permissions = ["b": "granted"]

    let end = try run.run()

    #expect(
      run.statuses == ["plain": .skipped, "more": .skipped, "own": .succeeded, "both": .succeeded])
    #expect(run.outcomes["more"]?.skipDetail == "a (missing)")
    #expect(end?.exitCode == 77)
  }

  @Test func `a request ends in one of five ways, and is skipped for one of four reasons`() throws {
    var run = try Simulation(
      workflow(requests: [
        "good: {get: good}", "bad: {get: bad, depends_on: [good]}",
        "doubt: {post: doubt, params: {m: 1}}", "not: {get: x, when: \"1 == 2\"}",
        "after: {get: y, depends_on: [bad]}", "denied: {get: z, permissions: [p]}",
        "stop: {get: stop, on_error: stop, batch: alone, depends_on: [good, doubt, bad], on_dependency_failure: run}",
        "never: {get: v, batch: alone, depends_on: [stop], on_dependency_failure: run}",
      ]))
    run.graph.fault = { operation, _ in
      switch operation.path {
      case "bad", "stop": .error(.invalidParameter, status: 400)
      case "doubt": .null
      default: nil
      }
    }

    _ = try run.run()

    let ends = run.outcomes.mapValues { end in
      [end.status.rawValue, end.skipReason?.rawValue].compactMap(\.self).joined(separator: " ")
    }
    #expect(
      ends == [
        "good": "succeeded", "bad": "failed", "doubt": "in_doubt", "not": "skipped condition",
        "after": "skipped dependency", "denied": "skipped permission", "stop": "failed",
        "never": "skipped stopped",
      ])
  }

  @Test func `a request that a stopped run has not started is cancelled`() throws {
    var run = try Simulation(workflow(requests: ["a: {get: x}"]))
    run.state.cancel(exitCode: 143)

    #expect(try run.run()?.status == .cancelled)
    #expect(run.statuses == ["a": .cancelled])
  }

  @Test func `the report keeps the order of the file`() throws {
    var run = try Simulation(
      workflow(requests: [
        "z: {get: \"{result=m:$.id}\"}", "m: {get: me}", "a: {get: x, depends_on: [z]}",
      ]))

    _ = try run.run()

    guard case .runStarted(let start)? = run.events.first else {
      Issue.record("no start")
      return
    }
    #expect(start.requests.map(\.name) == ["z", "m", "a"])
  }

  @Test func `a page token needs the permissions of its user's token`() throws {
    var run = try Simulation(
      workflow(requests: [
        "pages: {get: me/accounts, token: editor}",
        "post: {post: p/feed, token: \"{result=pages:$.access_token}\", permissions: [a]}",
      ]))
    run.graph.permissions = ["a": "declined"]
    run.callFault = { call in
      guard call.operations[0].path == "me/accounts" else { return nil }
      return .answered(
        .items([.ok(["access_token": "EAApage"])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    #expect(run.outcomes["post"]?.skipDetail == "a (declined)")
    let readings = run.events.flatMap { event in
      if case .permissionsRead(let readings) = event { readings } else { [PermissionReading]() }
    }
    #expect(readings.map(\.token) == ["editor"])
  }
}

extension RunEvent {
  fileprivate func isCallStart(_ number: Int) -> Bool {
    guard case .callStarted(let call) = self else { return false }
    return call.number == number
  }
}
