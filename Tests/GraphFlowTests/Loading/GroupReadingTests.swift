import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Reading a valid file with groups, pages and polling.
struct GroupReadingTests {
  static let text = """
    graphflow: 1
    inputs:
      page_id: string
      folder: {type: string, default: data}
      ids: {type: list, default: []}
    token: editor
    defaults: {timeout: 30s}
    requests:
      before: {get: me/accounts, paginate: true}
      publish:
        description: One post for each row.
        for_each: {file: "{input=folder}/posts.csv"}
        key: "{item=$.sku}-{index}"
        max_failures: 10
        requests:
          post:
            post: "{input=page_id}/feed"
            params: {message: "{item=$.text | none}", all: "{item}", n: "{index}"}
            token: "{item=$.token}"
            depends_on: [before]
          verify:
            get: "{result=post:$.id}"
            params: {page: "{result=before:$.data[0].id}", ids: "{result=short:$[*].id}"}
            expect: ["$.message == {item=$.text}"]
            depends_on: [post]
      between: {get: me, depends_on: [publish, short, publish.post]}
      short:
        for_each: "{input=ids}"
        max_failures: 2.5%
        get: "{item}"
        when: "{index} < 3"
      others:
        for_each: "{result=publish.post:$[*].id}"
        get: "{item}"
        until:
          check: "$.status == 'done' && {result=before:$.x}"
          fail: "$.status == {item=$.bad}"
          interval: 100ms
          within: 1m
      list:
        for_each: [1, {id: "{input=page_id}"}, x]
        get: "{item=$.id | x}"
        paginate: {max_pages: 3, max_items: 100}
      waiting: {get: me, until: {check: $.x}}
    outputs:
      last: "{result=publish.post:$[-1].id}"
      all: "{result=short}"
    """

  private func workflow() throws -> Workflow { try WorkflowSample.read(Self.text) }

  private func request(_ name: String) throws -> Workflow.Request {
    try #require(try workflow().requests.first { $0.displayName == name })
  }

  @Test func `the members of a group are at the position of the group`() throws {
    let workflow = try workflow()
    #expect(
      workflow.requests.map(\.displayName) == [
        "before", "publish.post", "publish.verify", "between", "short", "others", "list",
        "waiting",
      ])
    #expect(
      workflow.requests.map(\.name) == [
        "before", "post", "verify", "between", "short", "others", "list", "waiting",
      ])
    #expect(workflow.requests.map(\.group) == [nil, 0, 0, nil, 1, 2, 3, nil])
    #expect(workflow.groups.map(\.name) == ["publish", "short", "others", "list"])
    #expect(workflow.groups.map(\.members) == [[1, 2], [4], [5], [6]])
    #expect(workflow.groups.map(\.location.line) == [10, 27, 32, 40])
  }

  @Test func `groups keep their sources`() throws {
    let groups = try workflow().groups
    guard case .file(let path) = groups[0].source, case .values(let ids) = groups[1].source,
      case .values(let posts) = groups[2].source, case .list(let items) = groups[3].source
    else {
      Issue.record("other sources")
      return
    }
    #expect(path.text == "{input=folder}/posts.csv")
    #expect(ids.kind == InputName("ids").map { .input($0) })
    #expect(posts.reference?.request == 1)
    #expect(posts.reference?.query.text == "$[*].id")
    #expect(items.count == 3)
    #expect(items[0] == .literal(1))
    #expect(items[1].placeholders.map(\.text) == ["{input=page_id}"])
  }

  @Test func `groups keep their keys and limits`() throws {
    let groups = try workflow().groups
    #expect(groups.map(\.key?.text) == ["{item=$.sku}-{index}", nil, nil, nil])
    #expect(groups.map(\.maxFailures) == [.count(10), .percentage(2.5), nil, nil])
  }

  @Test func `inside a group a name is that of the same item, outside that of the whole list`()
    throws
  {
    let verify = try request("publish.verify")
    #expect(verify.references.map(\.request) == [1, 0, 4])
    #expect(verify.references.map(\.name) == ["post", "before", "short"])
    #expect(verify.dependsOn == [1])
    #expect(try request("publish.post").dependsOn == [0])
    #expect(try request("between").dependsOn == [1, 2, 4])
    let outputs = try workflow().outputs
    #expect(outputs.flatMap(\.value.placeholders).compactMap(\.reference?.request) == [1, 4])
  }

  @Test func `members have all that requests have`() throws {
    let post = try request("publish.post")
    #expect(post.timeout == .seconds(30))
    #expect(post.method == .post && post.isWrite)
    guard case .reference(let token) = post.token, case .item(let query)? = token.only?.kind else {
      Issue.record("no token out of the item")
      return
    }
    #expect(query.text == "$.token")
    #expect(
      post.params.flatMap(\.value.placeholders).map(\.kind)
        == [.item(try Query("$.text")), .item(try Query("$")), .index])
    #expect(post.params[0].value.placeholders[0].defaultValue == "none")
    #expect(try request("publish.verify").token == .profile("editor"))
    #expect(try request("short").when?.placeholders.map(\.kind) == [.index])
  }

  @Test func `pages and polling are kept`() throws {
    #expect(try request("before").pagination == Workflow.Pagination())
    let limits = try request("list").pagination
    #expect(limits?.maxPages == 3 && limits?.maxItems == 100)
    let others = try request("others")
    let until = try #require(others.until)
    #expect(until.interval == .milliseconds(100) && until.within == .seconds(60))
    #expect(until.check.placeholders.map(\.text) == ["{result=before:$.x}"])
    #expect(until.fail?.placeholders.map(\.text) == ["{item=$.bad}"])
    #expect(others.references.map(\.request) == [0], "those of 'until' too")
    let waiting = try #require(try request("waiting").until)
    #expect(waiting.interval == .seconds(5) && waiting.within == .seconds(300))
    #expect(waiting.fail == nil)
  }

  @Test func `a name in a group may equal that of the group or of a request outside`() throws {
    let source = SourceFile(
      path: "flow.yaml",
      bytes: Array(
        """
        graphflow: 1
        requests:
          a: {get: me}
          b:
            for_each: [1]
            requests:
              a: {get: "{item}"}
              b: {get: "{result=a:$.id}"}
              c: {get: "{result=b:$.id}"}
          d: {get: "{result=a:$.id}", depends_on: [b.a, b]}
        """.utf8))
    let (workflow, diagnostics) = Workflow.reading(source)
    #expect(diagnostics.map(\.rule) == ["shadowed-name"])
    let requests = try #require(workflow?.requests)
    #expect(requests.map { $0.references.map(\.request) } == [[], [], [1], [2], [0]])
    #expect(requests[4].dependsOn == [1, 2, 3])
  }

  @Test(arguments: ["x.csv", "X.CSV", "a/b.json", "b.jsonl", "{input=f}", "{input=f}.csv"])
  func `the format of an item file depends on its extension`(_ path: String) throws {
    let workflow = try WorkflowSample.read(
      "graphflow: 1\ninputs: {f: file}\nrequests: {a: {for_each: {file: \"\(path)\"}, get: me}}")
    guard case .file(let file)? = workflow.groups.first?.source else {
      Issue.record("no file")
      return
    }
    #expect(file.text == path)
  }
}
