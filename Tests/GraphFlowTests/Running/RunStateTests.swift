import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The normal course of a run: which requests are sent in which call, and their outcomes.
struct RunStateTests {
  @Test func `a post and its read-back succeed in one call`() throws {
    var run = try Simulation(
      workflow(requests: [
        "post: {post: me/feed, params: {message: hi}}",
        "verify: {get: \"{result=post:$.id}\", expect: [\"$.message == 'hi'\"]}",
      ]))

    let end = try run.run()

    #expect(end?.status == .succeeded && end?.exitCode == 0)
    #expect(run.calls.count == 1 && end?.callsLowerBound == 1)
    #expect(run.graph.ledger == ["POST me/feed", "GET id1"])
    #expect(run.outcomes["verify"]?.resolvedPath == "id1")
    let wired = run.calls[0].operations
    #expect(wired.map(\.name) == ["post", nil])
    #expect(wired.map(\.path) == ["me/feed", "{result=post:$.id}"])
    #expect(wired[0].omitResponseOnSuccess == false)
  }

  @Test func `a filter takes two calls and changes nothing else`() throws {
    func outcomes(_ query: String) throws -> (Int, [String: RequestEnd]) {
      var run = try Simulation(
        workflow(requests: [
          "post: {post: me/feed, params: {message: hi}}",
          "verify: {get: \"{result=post:\(query)}\", params: {fields: \"id,message\"}}",
        ]))
      _ = try run.run()
      return (run.calls.count, run.outcomes)
    }

    let left = try outcomes("$.id")
    let resolvedHere = try outcomes("$[?@ == 'id1']")

    #expect(left.0 == 1 && resolvedHere.0 == 2)
    #expect(left.1 == resolvedHere.1)
  }

  @Test func `a chain of sixty posts takes two calls with every name right`() throws {
    let requests =
      ["p1: {post: me/feed, params: {message: start}}"]
      + (2...60).map { "p\($0): {post: me/feed, params: {message: \"{result=p\($0 - 1):$.id}\"}}" }
    var run = try Simulation(workflow(requests: requests))

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.map(\.operations.count) == [50, 10])
    #expect(end?.callsLowerBound == 2)
    for number in 2...60 { #expect(run.graph.objects["id\(number)"] == "id\(number - 1)") }
    let wired = run.calls[0].operations
    for (index, operation) in wired.enumerated() where index > 0 {
      #expect(operation.parameters[0].value == "{result=p\(index):$.id}")
      #expect(wired[index - 1].name == "p\(index)")
    }
    #expect(run.calls[1].operations[0].parameters[0].value == "id50")
  }

  @Test func `dependents of a failed request are skipped with a reason`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {post: me/feed, params: {message: hi}}", "b: {get: \"{result=a:$.id}\"}",
        "c: {get: me, depends_on: [b]}", "d: {get: me}",
      ]))
    run.graph.fault = { operation, _ in
      operation.method == .post ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    #expect(run.statuses == ["a": .failed, "b": .skipped, "c": .skipped, "d": .succeeded])
    #expect(run.outcomes["b"]?.skipReason == .dependency)
    #expect(run.outcomes["b"]?.skipDetail == "a")
    #expect(end?.exitCode == 1)
    #expect(run.graph.ledger == ["GET me"])
  }

  @Test func `a false condition skips with success`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: me}", "b: {get: x, when: \"{result=a:$.id} == 'other'\"}",
        "c: {get: y, depends_on: [b]}",
      ]))

    let end = try run.run()

    #expect(run.statuses == ["a": .succeeded, "b": .skipped, "c": .skipped])
    #expect(run.outcomes["b"]?.skipReason == .condition)
    #expect(run.outcomes["c"]?.skipReason == .dependency)
    #expect(end?.exitCode == 0 && end?.status == .succeeded)
  }

  @Test func `a broken expectation fails the request and shows the actual value`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: me, expect: [\"$.id == 'you'\", \"status() == 200\"]}",
        "b: {get: \"{result=a:$.id}\"}",
        "clean: {delete: x, depends_on: [b], on_dependency_failure: run}",
      ]))
    run.graph.fault = { operation, _ in operation.method == .delete ? .null : nil }

    let end = try run.run()

    let outcome = try #require(run.outcomes["a"])
    #expect(outcome.status == .failed && outcome.failure?.reason == .expectation)
    #expect(outcome.expectations.map(\.passed) == [false, true])
    #expect(outcome.expectations.map(\.actual) == ["me", 200])
    #expect(run.statuses["b"] == .skipped)
    #expect(run.statuses["clean"] == .failed)
    #expect(end?.exitCode == 1)
  }

  @Test func `clean-up runs after a failure`() throws {
    var run = try Simulation(
      workflow(requests: [
        "create: {post: me/feed, params: {message: hi}}",
        "check: {get: \"{result=create:$.id}\", expect: [\"$.message == 'no'\"]}",
        "remove: {delete: \"{result=create:$.id}\", depends_on: [check], "
          + "on_dependency_failure: run}",
      ]))

    let end = try run.run()

    #expect(run.statuses == ["create": .succeeded, "check": .failed, "remove": .succeeded])
    #expect(run.graph.objects.isEmpty)
    #expect(end?.exitCode == 1)
  }

  @Test func `clean-up of a node that was never created is skipped`() throws {
    var run = try Simulation(
      workflow(requests: [
        "create: {post: me/feed, params: {message: hi}}",
        "remove: {delete: \"{result=create:$.id}\", on_dependency_failure: run}",
      ]))
    run.graph.fault = { _, _ in .error(.invalidParameter, status: 400) }

    _ = try run.run()

    #expect(run.statuses == ["create": .failed, "remove": .skipped])
  }

  @Test func `a reference that selects nothing fails the request that resolves it`() throws {
    for query in ["$.nothing", "$[?@.nothing]"] {
      var run = try Simulation(
        workflow(requests: ["a: {get: me}", "b: {get: \"{result=a:\(query)}/feed\"}"]))

      _ = try run.run()

      #expect(run.outcomes["b"]?.failure?.reason == .unresolvedReference, "\(query)")
    }
  }

  @Test func `a request with data that looks like a reference is sent alone`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {text: string}
        requests:
          a: {get: me}
          b: {post: me/feed, params: {message: "{input=text}"}}
        """), inputs: [("text", "see {result=a:$.id} and {input=text}")])

    _ = try run.run()

    #expect(run.calls.first { $0.isSingle }?.operations.map(\.path) == ["me/feed"])
    #expect(run.graph.objects["id1"] == "see {result=a:$.id} and {input=text}")
  }

  @Test func `values in a path stay one segment, encoded`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {name: string, whole: string}
        requests:
          a: {get: "{input=name}/feed"}
          b: {get: "{input=whole}"}
          c: {get: "?ids={input=name}"}
        """), inputs: [("name", "a/b?c#d%e"), ("whole", "/me/feed")])

    _ = try run.run()

    #expect(
      run.calls[0].operations.map(\.path) == [
        "a%2Fb%3Fc%23d%25e/feed", "me/feed", "?ids=a%2Fb%3Fc%23d%25e",
      ])
  }

  @Test(arguments: ["..", "me/../x", "me//x", ""])
  func `a value cannot traverse out of its path`(_ value: String) throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {whole: string}
        requests:
          a: {get: "{input=whole}"}
        """), inputs: [("whole", value)])

    _ = try run.run()

    #expect(run.outcomes["a"]?.failure?.reason == .parameter)
    #expect(run.calls.isEmpty)
  }

  @Test func `parameters keep types, join nodes in queries and leave null out`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs:
          n: {type: integer, default: 7}
          l: {type: list, default: [a, b]}
        requests:
          feed: {get: me/feed}
          get:
            get: x
            params: {n: "{input=n}", text: "n={input=n}", none: ~, ids: "{result=feed:$[*]}"}
          post:
            post: y
            params: {l: "{input=l}", ids: "{result=feed:$[*]}", deep: {n: "{input=n}", k: [1, "{input=n}!"]}}
        outputs: {n: "{input=n}", id: "{result=feed:$.id}", none: "{result=feed:$.nothing}"}
        """))

    let end = try run.run()

    let operations = run.calls.flatMap(\.operations)
    let sent = { (path: String) in
      operations.first { $0.path == path }.map { $0.parameters.map { "\($0.name)=\($0.value)" } }
    }
    // `$[*]` is left to Graph where both share a batch.
    #expect(sent("x") == ["n=7", "text=n=7", "ids={result=feed:$[*]}"])
    #expect(
      sent("y") == [
        #"l=["a","b"]"#, #"ids=["me/feed",""]"#, #"deep={"n":7,"k":[1,"7!"]}"#,
      ])
    #expect(end?.outputs == ["n": 7, "id": "me/feed", "none": .null])
  }

  @Test func `a token from a result is used and never shown`() throws {
    var run = try Simulation(
      workflow(requests: [
        "pages: {get: me/accounts}",
        "post: {post: p/feed, token: \"{result=pages:$.message}\", params: {message: hi}}",
        "leak: {post: p/feed, params: {message: \"{result=pages:$.*}\"}}",
      ]))
    run.callFault = { call in
      guard call.operations[0].path == "me/accounts" else { return nil }
      let body: JSON = ["message": "EAAsecret", "access_token": "EAAsecret"]
      return .answered(.items([.ok(body)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    let post = run.calls.flatMap(\.operations).first { $0.path == "p/feed" }
    #expect(run.statuses["post"] == .succeeded)
    #expect(post != nil)
    #expect(run.outcomes["leak"]?.failure?.reason == .policy)
    #expect(!"\(run.events)".contains("EAAsecret"))
  }

  @Test func `files are attached and a missing one fails its request alone`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {post: me/photos, files: {source: here.png}}",
        "b: {post: me/photos, files: {source: gone.png}}",
      ]), files: ["here.png": [1, 2, 3]])

    let end = try run.run()

    #expect(run.calls[0].operations.map(\.files.count) == [1])
    #expect(run.calls[0].operations[0].files[0].contentType == "image/png")
    #expect(run.statuses == ["a": .succeeded, "b": .failed])
    #expect(end?.exitCode == 1)
  }

  @Test func `equal runs give equal events`() throws {
    func events() throws -> [RunEvent] {
      var run = try Simulation(workflow(requests: (1...70).map { "r\($0): {get: me/x\($0)}" }))
      run.graph.fault = { _, number in number % 9 == 0 ? .error(.service, status: 500) : nil }
      _ = try run.run()
      return run.events
    }

    #expect(try events() == events())
  }

  @Test func `secrets that expectations compare are not shown`() throws {
    var run = try Simulation(
      workflow(requests: [
        "pages: {get: me/accounts, expect: [\"$.access_token == 'no'\", \"$.access_token != ''\"]}"
      ]))
    run.callFault = { _ in
      .answered(
        .items([.ok(["access_token": "IGQVpagetoken"])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    #expect(run.outcomes["pages"]?.expectations.map(\.passed) == [false, true])
    #expect(run.outcomes["pages"]?.expectations.map(\.actual) == ["***", "***"])
    #expect(!"\(run.events)".contains("IGQVpagetoken"))
  }

  @Test func `a token that a refusal repeats is not shown`() throws {
    var run = try Simulation(workflow(requests: ["a: {get: me}"]))
    run.callFault = { _ in
      .answered(
        .refused(
          GraphError(message: "Malformed access token token-of-default", code: 190), status: 400),
        CallFacts(status: 400, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    #expect(!"\(run.events)".contains("token-of-default"))
  }

  @Test func `a request with a path that looks like a reference is sent alone`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {x: string}
        requests:
          a: {get: me}
          b: {get: "search/{input=x}"}
        """), inputs: [("x", "{result=a:$.id}")])

    _ = try run.run()

    #expect(
      run.calls.first { $0.isSingle }?.operations.map(\.path) == [
        "search/%7Bresult%3Da%3A%24.id%7D"
      ])
  }

  @Test func `clean-up that does not need a body starts without it`() throws {
    var run = try Simulation(
      workflow(requests: [
        "create: {post: me/feed, params: {message: hi}}",
        "note: {get: log, params: {id: \"{result=create:$.id | none}\"}, "
          + "on_dependency_failure: run}",
      ]))
    run.graph.fault = { operation, _ in
      operation.method == .post ? .error(.invalidParameter, status: 400) : nil
    }

    _ = try run.run()

    #expect(run.statuses == ["create": .failed, "note": .succeeded])
  }
}
