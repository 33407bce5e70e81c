import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Reading a valid file.
struct WorkflowReadingTests {
  private func everything() throws -> Workflow {
    try WorkflowSample.read(WorkflowSample.everything)
  }

  private func request(_ name: String) throws -> Workflow.Request {
    try #require(try everything().requests.first { $0.name == name })
  }

  @Test func `the workflow's own keys are kept`() throws {
    let workflow = try everything()
    #expect(workflow.name == "everything")
    #expect(workflow.description == "All that there is.")
    #expect(workflow.version == GraphVersion("v24.0"))
    #expect(workflow.token == "editor")
    #expect(workflow.permissions == ["pages_read_engagement"])
    #expect(
      workflow.errors == [
        ErrorRule(code: 1_487_390, category: .transient),
        ErrorRule(code: 100, subcode: 33, category: .other, reason: .notFound),
      ])
    #expect(
      workflow.requests.map(\.name) == [
        "accounts", "status-post", "read-back", "upload", "clean-up",
      ])
    #expect(workflow.outputs.map(\.name) == ["post_id", "all"])
    #expect(workflow.source.path == "flows/sample.yaml")
    #expect(workflow.source.digest.utf8.count == 64)
  }

  @Test func `inputs keep their types, constraints and defaults`() throws {
    let inputs = try everything().inputs
    #expect(
      inputs.map(\.type) == [
        .string, .string, .integer, .number, .boolean, .list, .file, .string, .secret,
      ])
    #expect(
      inputs.map(\.isRequired) == [true, false, false, false, false, false, false, false, true])
    #expect(inputs[1].defaultValue == "Hello")
    #expect(inputs[1].constraints.pattern?.text == ".{1,2000}")
    #expect(inputs[1].constraints.maxLength == 2000)
    #expect(inputs[2].constraints.minimum == JSON.Number(1))
    #expect(inputs[3].defaultValue?.serialized() == "1.50")
    #expect(inputs[5].constraints.items == .string)
    #expect(inputs[7].constraints.allowed == ["red", "green"])
  }

  @Test func `defaults apply to requests that do not override them`() throws {
    let accounts = try request("accounts")
    #expect(accounts.retry?.maxAttempts == 6)
    #expect(accounts.retry?.initialDelay == .milliseconds(250))
    #expect(accounts.retry?.maxDelay == .seconds(60))
    #expect(accounts.timeout == .seconds(30))
    #expect(accounts.onError == .stop)
    #expect(accounts.version == GraphVersion("v24.0"))
    #expect(accounts.token == .profile("editor"))
    #expect(accounts.permissions == ["pages_read_engagement"])
    #expect(accounts.headers.map(\.name) == ["X-Common", "Accept-Language"])
    #expect(accounts.isIdempotent)
    #expect(!accounts.isWrite && !accounts.isAlone && !accounts.omitsResponse)
  }

  @Test func `a request's own values override defaults key by key`() throws {
    let post = try request("status-post")
    #expect(post.method == .post)
    #expect(post.description == "Publishes.")
    #expect(post.retry?.maxAttempts == 2)
    #expect(post.retry?.initialDelay == .milliseconds(250))
    #expect(
      post.retry?.on == [.reason(.throttled), .code(4, subcode: nil), .code(100, subcode: 33)])
    #expect(post.timeout == .seconds(5), "by way of the merge key")
    #expect(post.permissions == ["pages_show_list"], "it has a token of its own")
    #expect(
      post.headers.map { "\($0.name): \($0.value.text)" } == [
        "X-Common: {run=id}", "accept-language: de",
      ])
    #expect(post.onError == .continue)
    #expect(post.isIdempotent)
    let read = try request("read-back")
    #expect(read.retry == nil)
    #expect(read.timeout == .seconds(120))
    #expect(read.permissions == ["pages_read_engagement", "pages_manage_posts"])
    #expect(read.dependsOn == [0, 1])
    #expect(read.runsAfterFailure && read.isAlone)
    #expect(read.onError == .ignore)
    #expect(try request("clean-up").isIdempotent)
    #expect(try !request("upload").isIdempotent)
    #expect(try request("upload").omitsResponse)
  }

  @Test func `templates are split and literals stay values`() throws {
    let post = try request("status-post")
    #expect(post.path.text == "{input=page_id}/feed", "the slash is gone")
    #expect(post.path.parts.count == 2)
    guard case .template(let message) = post.params[0].value else {
      Issue.record("no template")
      return
    }
    #expect(message.parts.last == .text(" {literal}"))
    #expect(message.literal == nil && message.only == nil)
    guard case .map(let targeting) = post.params[1].value,
      case .map(let places) = targeting[0].value,
      case .list(let countries) = places[0].value
    else {
      Issue.record("no map")
      return
    }
    #expect(countries[0] == .literal("US"))
    #expect(
      post.params[2].value
        == .literal(try JSON(parsing: #"{"a": [1, 2.50, true, null, "yes"]}"#)))
    #expect(post.params[3].value == .literal(.null))
    guard case .template(let limit) = try request("accounts").params[1].value else {
      Issue.record("no template")
      return
    }
    #expect(limit.only?.kind == InputName("count").map { .input($0) })
  }

  @Test func `references come in the order of a request's parts`() throws {
    let read = try request("read-back")
    #expect(read.references.map(\.name) == ["status-post", "accounts", "status-post"])
    #expect(read.references.map(\.request) == [1, 0, 1])
    #expect(read.references.map(\.query.text) == ["$.id", "$.data[*].id", "$"])
    guard case .template(let ids) = read.params[0].value else {
      Issue.record("no template")
      return
    }
    #expect(ids.only?.defaultValue == "none")
    #expect(ids.only?.isSingular == false)
    #expect(try request("status-post").references.map(\.name) == ["accounts"])
    guard case .reference(let token) = try request("clean-up").token else {
      Issue.record("no reference")
      return
    }
    #expect(token.only?.kind == InputName("page_token").map { .input($0) })
  }

  @Test func `expressions keep their operands`() throws {
    let read = try request("read-back")
    let when = try #require(read.when)
    #expect(when.placeholders.map(\.text) == ["{result=status-post}", "{input=loud}"])
    let host = LogicalExpression.Host(
      operand: { $0 == 0 ? [["id": "1"]] : [false] }, function: { _, _ in nil })
    #expect(try when.logical.evaluate(root: nil, host: host).holds)
    let post = try request("status-post")
    #expect(post.expect.map(\.message) == [nil, "It must be fine."])
    let answers = LogicalExpression.Host(
      operand: { _ in [] }, function: { name, _ in name == "status" ? 200 : "x" })
    #expect(try post.expect[1].expression.logical.evaluate(root: nil, host: answers).holds)
  }

  @Test func `locations point to names and references`() throws {
    let lines = WorkflowSample.everything.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.hasPrefix("  status-post:") }) + 1
    let post = try request("status-post")
    #expect(post.location == SourceLocation(line: line, column: 3, endColumn: 14))
    #expect(
      post.path.placeholders.map(\.location) == [
        SourceLocation(line: line + 3, column: 12, endColumn: 27)
      ])
  }

  @Test(arguments: [
    ("flows/page-post.yaml", "page-post"), ("page.post.yml", "page.post"), ("-", "stdin"),
    (".hidden", ".hidden"), ("/a/b", "b"),
  ])
  func `the default name is that of the file`(_ path: String, _ name: String) throws {
    let text = "graphflow: 1\nrequests: {me: {get: me}}\n"
    #expect(try WorkflowSample.read(text, named: path).name == name)
  }

  @Test func `an input far back in the file is found as well as an earlier one`() throws {
    let workflow = try WorkflowSample.read(
      """
      requests: {a: {get: "{result=b:$.id}", params: {x: "{input=late}"}}, b: {get: me}}
      inputs: {late: string}
      graphflow: 1
      """)
    #expect(workflow.requests[0].references.map(\.request) == [1])
  }

  @Test func `a JSON file is a workflow too`() throws {
    let workflow = try WorkflowSample.read(
      #"{"graphflow": 1, "requests": {"me": {"get": "me", "params": {"fields": "id"}}}}"#)
    #expect(workflow.requests[0].params[0].value == .literal("id"))
  }

  @Test func `an id may be a path as it is written`() throws {
    let workflow = try WorkflowSample.read(requests: "  a: {get: 00123456789012345678901}\n")
    #expect(workflow.requests[0].path.literal == "00123456789012345678901")
  }
}
