import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// Reading `confirm`, which checks whether a write happened.
struct ConfirmReadingTests {
  private func diagnostics(_ requests: String) -> [Diagnostic] {
    let text = "graphflow: 1\ninputs: {page: string, text: string, pin: secret}\nrequests:\n"
    let source = SourceFile(path: "flow.yaml", bytes: Array((text + requests).utf8))
    return Workflow.reading(source).diagnostics.filter { $0.severity == .error }
  }

  @Test func `confirm is kept as it is written`() throws {
    let workflow = try WorkflowSample.read(
      """
      graphflow: 1
      inputs: {page: string, text: string}
      requests:
        feed: {get: me/feed}
        post:
          post: "{input=page}/feed"
          permissions: [pages_manage_posts, pages_read_engagement]
          params: {message: "{input=text}", link: "{result=feed:$.data[0].link}"}
          confirm:
            get: "{input=page}/feed?limit=25"
            params: {fields: "id,message,created_time", since: "{result=feed:$.time | 0}"}
            when: "$.data[?@.message == {input=text} && @.id != {result=feed:$.data[0].id}]"
            result: "$.data[?@.id == {result=feed:$.next}]"
            within: 2m
      """)
    let post = workflow.requests[1]
    let confirmation = try #require(post.confirmation)
    #expect(confirmation.path.text == "{input=page}/feed?limit=25")
    #expect(confirmation.params.map(\.name) == ["fields", "since"])
    #expect(
      confirmation.match.query.text
        == "$.data[?@.message == {input=text} && @.id != {result=feed:$.data[0].id}]")
    #expect(
      confirmation.match.expression.placeholders.map(\.text)
        == ["{input=text}", "{result=feed:$.data[0].id}"])
    #expect(confirmation.result?.query.text == "$.data[?@.id == {result=feed:$.next}]")
    #expect(confirmation.within == .seconds(120))
    #expect(confirmation.location.line == 9 && confirmation.location.column == 5)
    #expect(
      post.references.map(\.query.text)
        == ["$.data[0].link", "$.time", "$.data[0].id", "$.next"],
      "its references are the request's, after all others")
    #expect(!post.isIdempotent && post.expect.isEmpty)
  }

  @Test func `most keys of confirm may be left out`() throws {
    let workflow = try WorkflowSample.read(
      requests: """
          a: {post: me/things, confirm: {get: me/feed, when: "$.data[?@.message == 'x']"}}
          b: {post: me/things, idempotent: false}
        """)
    let confirmation = try #require(workflow.requests[0].confirmation)
    #expect(confirmation.params.isEmpty && confirmation.result == nil)
    #expect(confirmation.within == .seconds(30))
    #expect(workflow.requests[1].confirmation == nil)
  }

  @Test func `confirm in a group may refer to the item`() throws {
    let workflow = try WorkflowSample.read(
      requests: """
          all:
            for_each: [x, y]
            requests:
              album: {get: "{item}"}
              post:
                post: me/things
                params: {message: "{item}", n: "{index}"}
                confirm:
                  get: "{result=album:$.id}/photos"
                  when: "$.data[?@.message == {item}]"
        """)
    let post = workflow.requests[1]
    #expect(post.confirmation?.match.expression.placeholders.map(\.text) == ["{item}"])
    #expect(post.references.map(\.request) == [0])
  }

  static let faults: [(confirm: String, rule: String, marked: String)] = [
    ("5", "wrong-type", "5"),
    ("{}", "missing-key", "{}"),
    ("{get: me/feed}", "missing-key", "{get: me/feed}"),
    (#"{when: "$.a"}"#, "missing-key", #"{when: "$.a"}"#),
    (#"{get: me/feed, when: "$.a", wait: 3s}"#, "unknown-key", "wait"),
    (#"{get: me/feed, when: "$.a", within: 3}"#, "wrong-type", "3"),
    (#"{get: me/feed, when: "$.a", within: 16m}"#, "invalid-value", "16m"),
    (#"{get: me/feed, when: "$.a", within: 0s}"#, "invalid-value", "0s"),
    (#"{get: http://x/y, when: "$.a"}"#, "path-host", "http://x/y"),
    (#"{get: v25.0/me, when: "$.a"}"#, "path-version", "v25.0"),
    (#"{get: me, when: "$.a", params: {batch: x}}"#, "reserved-parameter", "batch"),
    (#"{get: me, when: "$.a == 1"}"#, "invalid-expression", #""$.a == 1""#),
    (#"{get: me, when: "!$.a"}"#, "invalid-expression", #""!$.a""#),
    (#"{get: me, when: "{input=text}"}"#, "invalid-expression", #""{input=text}""#),
    (#"{get: me, when: "$.a[?status() == 200]"}"#, "invalid-expression", "s"),
    (#"{get: me, when: "$.a[?header('x') == 'y']"}"#, "invalid-expression", "h"),
    (#"{get: me, when: "$.a[?@.b == {result=post:$.id}]"}"#, "self-reference", "post"),
    (#"{get: "{result=post:$.id}", when: "$.a"}"#, "self-reference", "post"),
    (#"{get: me, when: "$.a", params: {a: "{result=post}"}}"#, "self-reference", "post"),
    (#"{get: me, when: "$.a", result: "$.b[?@ == {result=post}]"}"#, "self-reference", "post"),
    (#"{get: me, when: "$.a[?@.b == {result=pots:$.id}]"}"#, "unknown-reference", "pots"),
    (#"{get: me, when: "$.a[?@.b == {input=tex}]"}"#, "unknown-input", "tex"),
    (#"{get: me, when: "$.a[?@.b == {input=pin}]"}"#, "secret-leak", "{input=pin}"),
    (
      #"{get: "{result=other:$.access_token}", when: "$.a"}"#, "secret-leak",
      "{result=other:$.access_token}"
    ),
    (#"{get: me, when: "$.a[?@.b == {item=$.id}]"}"#, "item-outside", "{item=$.id}"),
    (#"{get: "{index}", when: "$.a"}"#, "item-outside", "{index}"),
  ]

  @Test(arguments: faults)
  func `an error in confirm is shown in its place`(confirm: String, rule: String, marked: String) {
    let line = "  post: {post: me/x, confirm: \(confirm)}"
    let found = diagnostics("\(line)\n  other: {get: me}\n").filter { $0.rule == rule }
    let texts = found.map { diagnostic in
      line.dropFirst(diagnostic.location.column - 1)
        .prefix(diagnostic.location.endColumn - diagnostic.location.column)
    }
    #expect(found.allSatisfy { $0.location.line == 4 })
    #expect(texts.contains(Substring(marked)), "\(found)")
  }

  @Test func `confirm belongs to a write that must not be repeated`() {
    let confirm = #"confirm: {get: me/feed, when: "$.data[?@.id == 1]"}"#
    for request in ["get: me", "delete: '5'", "post: me/x, idempotent: true"] {
      let found = diagnostics("  a: {\(request), \(confirm)}\n")
      #expect(found.map(\.rule) == ["misplaced-key"], "\(request)")
    }
    #expect(diagnostics("  a: {post: me/x, idempotent: false, \(confirm)}\n").isEmpty)
  }

  @Test func `requests that confirm refers to come before the write`() {
    let found = diagnostics(
      """
        post: {post: me/x, confirm: {get: me, when: "$.a[?@.b == {result=read:$.id}]"}}
        read: {get: "{result=post:$.id}"}

      """)
    #expect(found.map(\.rule) == ["dependency-cycle"])
  }
}
