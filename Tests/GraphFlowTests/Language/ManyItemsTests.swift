import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Items: their sources, their keys, and the keys of a group.
struct ManyItemsTests {
  /// A workflow with numbered texts from a file as items.
  private func reads(_ count: Int, _ keys: String) throws -> Simulation {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          each: {for_each: {file: rows.jsonl}, get: "{item=$.id}"\(keys)}
        """), options: RunOptions(concurrency: 4))
    run.items = [0: (0..<count).map { ["id": .string("x\($0)")] }]
    return run
  }

  @Test(arguments: [
    ("[a, 7, true, {id: 1}, [x, \"{input=i}\"]]", #"a|7|true|{"id":1}|["x","in"]"#),
    ("\"{input=l}\"", #"1|b|{"k":null}"#),
    ("\"{result=source:$.data}\"", #"p|2|{"id":"q"}"#),
    ("\"{result=source:$.data[1:]}\"", #"2|{"id":"q"}"#),
    ("\"{result=source:$.data[*].id}\"", "q"), ("\"{result=source:$..nothing}\"", nil),
    ("[]", nil), ("\"{result=source:$.none}\"", nil),
  ])
  func `items come from a list, an input or a result, and keep their types`(
    _ source: String, _ items: String?
  ) throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {i: {type: string, default: in}, l: {type: list, default: [1, b, {k: ~}]}}
        requests:
          source: {get: source, batch: alone}
          each: {for_each: \(source), get: g, params: {deep: ["{item}"], n: "{index}"}}
        """))
    run.answering(["source": #"{"data": ["p", 2, {"id": "q"}], "none": []}"#])

    _ = try run.run()

    let values = items?.split(separator: "|") ?? []
    let lines = values.enumerated().map { index, text in
      let isPlain = (try? JSON(parsing: String(text))) == nil
      return "GET g deep=[\(isPlain ? "\"\(text)\"" : String(text))] n=\(index)"
    }
    #expect(run.sentAfterSource == lines)
  }

  @Test func `without a key an item is known by its position`() throws {
    var run = try Simulation(workflow(requests: ["each: {for_each: [x, x, y], get: \"{item}\"}"]))

    _ = try run.run()

    #expect(run.outcomes.keys.sorted() == ["each[0]", "each[1]", "each[2]"])
  }

  @Test func `from outside a group the list of bodies has a place for every item`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          short: {for_each: [x0, x1, x2], get: "{item}", when: "{index} != 1"}
          group:
            for_each: [y0, y1]
            requests:
              one: {get: "{item}", when: "{index} > 0"}
              two: {get: "{item}-2"}
          second: {get: s, params: {ids: "{result=short:$[2].id}-{result=group.one:$[1].id}"}}
        outputs:
          short: "{result=short:$}"
          one: "{result=group.one:$[*].id}"
          first: "{result=group.one:$[0]}"
          two: "{result=group.two}"
        """))
    run.answering([:])

    let end = try run.run()

    #expect(
      end.map { JSON.object($0.outputs).serialized() }
        == #"""
        {"short":[{"id":"x0"},null,{"id":"x2"}],"one":["y1"],"first":null,\#
        "two":[{"id":"y0-2"},{"id":"y1-2"}]}
        """#.replacing("\n", with: ""))
    #expect(run.sent.last == "GET s ids=x2-y1")
  }

  @Test func `items share batches with each other and with the rest`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          a: {for_each: [1, 2, 3], requests: {p: {post: "p{item}"}, r: {get: "{result=p:$.id}"}}}
          b: {get: me}
          c: {for_each: [7, 8], get: "c{item}"}
        """))

    let end = try run.run()

    #expect(run.calls.map(\.operations.count) == [9])
    #expect(end?.status == .succeeded)
  }

  @Test func `the short form is a group of one`() throws {
    func course(_ requests: String) throws -> ([String], [String: RequestStatus]) {
      var run = try Simulation(workflow("graphflow: 1\nrequests: {each: \(requests)}"))
      run.graph.fault = { operation, _ in
        operation.path == "b" ? .error(.invalidParameter, status: 400) : nil
      }
      _ = try run.run()
      let statuses = run.statuses.map { ($0.key.replacing(".only", with: ""), $0.value) }
      return (run.sent, Dictionary(uniqueKeysWithValues: statuses))
    }

    let short = try course("{for_each: [a, b], key: \"k{index}\", get: \"{item}\"}")
    let long = try course(
      "{for_each: [a, b], key: \"k{index}\", requests: {only: {get: \"{item}\"}}}")

    #expect(short == long)
    #expect(short.1 == ["each[k0]": .succeeded, "each[k1]": .failed])
  }

  @Test func `items may control conditions, expectations and polling`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          each:
            for_each: [{id: a, go: true}, {id: b, go: false}, {id: c, go: true}]
            key: "{item=$.id}"
            get: "{item=$.id}"
            when: "{item=$.go} == true"
            expect: ["$.id == {item=$.id}", "{index} != 2"]
            until: {check: "$.id == {item=$.id}", interval: 1s}
        """))

    _ = try run.run()

    #expect(run.statuses == ["each[a]": .succeeded, "each[b]": .skipped, "each[c]": .failed])
    #expect(run.reason("each[c]") == "expectation")
  }

  @Test(arguments: [
    // The number of items, the distance between failing ones, the limit, and the items not started.
    (2040, 1, "max_failures: 50%", 1940), (2040, 4, "max_failures: 30%", 0),
    (2001, 4, "max_failures: 25%", 1901), (4040, 4, "max_failures: 500", 1890),
    (2040, 4, "max_failures: 501", 0), (19, 1, "max_failures: 1%", 0),
    (2040, 1, "description: no limit", 0),
  ])
  func `too many failures keep new items from starting`(
    _ count: Int, _ fraction: Int, _ limit: String, _ skipped: Int
  ) throws {
    var run = try reads(count, ", \(limit)")
    run.graph.fault = { operation, _ in
      (Int(operation.path.dropFirst()) ?? 0) % fraction == 0
        ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    let left = run.outcomes.values.filter { $0.status == .skipped }
    #expect(left.count == skipped)
    #expect(left.allSatisfy { $0.skipReason == .stopped })
    #expect(run.outcomes.count == count)
    #expect(end?.exitCode == 1)
  }

  @Test func `a share of failed items counts after twenty have ended`() throws {
    // With this many requests for each item ten items are open.
    let fillers = (1...199).map { "f\($0): {get: f, when: \"1 == 2\"}" }.joined(separator: ", ")
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {rows: list}
        requests:
          each: {for_each: "{input=rows}", max_failures: 1%, requests: {a: {get: "x{item}"}, \(fillers)}}
        """), inputs: [("rows", "[\((0..<30).map(String.init).joined(separator: ","))]")])
    run.graph.fault = { _, _ in .error(.invalidParameter, status: 400) }

    _ = try run.run()

    #expect(run.calls.map(\.operations.count) == [10, 10])
    #expect(run.outcomes["each.a[20]"]?.skipReason == .stopped)
  }

  @Test func `a reference to one request of a group waits for the whole group`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          group: {for_each: [1], requests: {a: {get: a}, b: {get: b, depends_on: [a], batch: alone}}}
          named: {get: n, depends_on: [group.a]}
          referring: {get: "{result=group.a:$[0].id}"}
          whole: {get: w, depends_on: [group]}
        """))

    _ = try run.run()

    #expect(run.sent == ["GET a", "GET b", "GET n", "GET a", "GET w"])
  }

  @Test func `a group provides the items of another one`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          posts: {for_each: [1, 2], get: "p{item}"}
          likes: {for_each: "{result=posts:$[*].id}", key: "{item}", get: "{item}/likes"}
        """))

    _ = try run.run()

    #expect(run.sent == ["GET p1", "GET p2", "GET p1/likes", "GET p2/likes"])
    #expect(run.statuses["likes[p2]"] == .succeeded)
  }

  @Test(arguments: [
    ("[v19.0/me]", "{item}"), ("[/v19.0/me]", "{item}"), ("[V2.10]", "{item}/feed"),
    ("[\"19.0\"]", "v{item}/me"), ("[v19]", "{item}.0/me"),
  ])
  func `a value cannot choose the version`(_ items: String, _ path: String) throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {for_each: \(items), get: \"\(path)\"}",
        "b: {for_each: [v190me, v1x.0], get: \"{item}\"}",
      ]))
    run.answering([:])

    _ = try run.run()

    #expect(run.sent == ["GET v190me", "GET v1x.0"])
    #expect(run.reason("a[0]") == "parameter")
    #expect(run.outcomes["a[0]"]?.failure?.error.message.contains("may choose the version") == true)
  }

  @Test func `several nodes cannot be a segment of a path`() throws {
    var run = try Simulation(
      workflow(requests: [
        "source: {get: source}",
        "one: {get: \"{result=source:$.a[?@.n == 1].id}\"}",
        "two: {delete: \"x/{result=source:$.a[?@.n == 2].id}\"}",
        "list: {get: \"?ids={result=source:$.a[?@.n == 2].id}\"}",
      ]))
    run.answering(["source": #"{"a":[{"n":1,"id":"p"},{"n":2,"id":"q"},{"n":2,"id":"r"}]}"#])

    _ = try run.run()

    #expect(Set(run.sentAfterSource) == ["GET p", "GET ?ids=q%2Cr"])
    #expect(run.reason("two") == "parameter")
    #expect(run.outcomes["two"]?.failure?.error.message.contains("selects 2 nodes") == true)
  }

  @Test func `an item that is a whole path may hold slashes, and is one segment as a part`() throws
  {
    var run = try Simulation(
      workflow(requests: [
        "a: {for_each: [me/feed, /4_2, ../x], get: \"{item}\"}",
        "b: {for_each: [me/feed, \"a?b=c#d\", ..], get: \"x/{item}\"}",
      ]))
    run.answering([:])

    _ = try run.run()

    #expect(Set(run.sent) == ["GET me/feed", "GET 4_2", "GET x/me%2Ffeed", "GET x/a%3Fb%3Dc%23d"])
    #expect(run.reason("a[2]") == "parameter" && run.reason("b[2]") == "parameter")
  }

  @Test func `a value that is not a list gives no items`() throws {
    var run = try Simulation(
      workflow(requests: [
        "source: {get: source}", "each: {for_each: \"{result=source:$.id}\", get: \"{item}\"}",
      ]))

    let end = try run.run()

    #expect(run.sent == ["GET source"])
    #expect(run.reason("each") == "parameter")
    #expect(end?.exitCode == 1)
  }
}
