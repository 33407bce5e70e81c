import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Requests with `as`: the token of a page, found in the list of the user's pages.
struct ActingAsPageTests {
  private static let pages = #"""
    {"data": [{"id": "1", "access_token": "EAAbakery", "tasks": ["ANALYZE", "CREATE_CONTENT"]},
      {"id": "2", "access_token": "EAAclub", "tasks": ["MANAGE"]},
      {"id": "3", "access_token": "EAAradio", "tasks": ["ANALYZE"]}, {"id": "4", "tasks": ["MANAGE"]},
      {"id": "5", "access_token": "EAAold"}]}
    """#

  /// The posts that a run sends, with their tokens.
  private final class Posts {
    var sent: [(path: String, token: AccessToken)] = []
  }

  /// Runs requests, or resumes the first run of them; Graph answers posts with a status.
  private func run(
    _ requests: String..., permissions: String = "[]", after first: Simulation? = nil,
    answeringPostsWith code: Int = 200
  ) throws -> (Simulation, posts: Posts) {
    var run = try Simulation(
      workflow(
        "graphflow: 1\ninputs: {page: {type: string, default: '1'}}\npermissions: \(permissions)\n"
          + "requests:\n" + requests.map { "  \($0)\n" }.joined()), replaying: first?.events ?? [])
    let posts = Posts()
    run.callFault = { call in
      let token =
        switch call.content {
        case .batch(let batch): batch.accessToken
        case .single(let single): single.accessToken
        }
      let items = call.operations.map { operation in
        var status = 200
        var body = operation.path == "me/accounts" ? Self.pages : #"{"id": "7"}"#
        if operation.method == .post {
          // An operation has a token of its own unless it is that of its call.
          posts.sent.append((operation.path, operation.accessToken ?? token))
          status = code
          if code != 200 { body = #"{"error": {"code": 100, "message": "no"}}"# }
        }
        return OperationAnswer.response(
          OperationResponse(code: status, body: ResponseBody(Array(body.utf8))))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
    _ = try run.run()
    return (run, posts)
  }

  /// The operations that read the list.
  private func lists(_ run: Simulation) -> [BatchOperation] {
    run.calls.flatMap(\.operations).filter { $0.path == "me/accounts" }
  }

  @Test func `each item is sent as its page, and the pages are listed once`() throws {
    let (run, posts) = try run(
      "each: {for_each: [{p: '1'}, {p: 2}, {p: '2'}, {p: '9'}], as: {page: '{item=$.p}'}, post: '{index}'}",
      "fixed: {as: {page: 2}, post: fixed}", "joined: {as: {page: '{input=page}'}, post: joined}")

    #expect(
      lists(run).map { $0.parameters.map { "\($0.name)=\($0.value)" } }
        == [["fields=id,access_token,tasks", "limit=100"]])
    #expect(
      posts.sent.map { "\($0.path) \($0.token.exposed)" }.sorted() == [
        "0 EAAbakery", "1 EAAclub", "2 EAAclub", "fixed EAAclub", "joined EAAbakery",
      ])
    #expect(
      run.outcomes["each[3]"]?.failure?.error.message == "the page 9 is not one of the user's pages"
    )
    #expect(run.outcomes["each[3]"]?.failure?.reason == .unresolvedReference)
  }

  @Test func `a resumed run reads the list again`() throws {
    let request = "p: {as: {page: '2'}, post: me/feed}"
    let (first, refused) = try run(request, answeringPostsWith: 400)
    let (second, posts) = try run(request, after: first)

    #expect(first.outcomes["p"]?.status == .failed)
    #expect(lists(second).count == 1)
    #expect((refused.sent + posts.sent).map(\.token.exposed) == ["EAAclub", "EAAclub"])
    #expect(second.outcomes["p"]?.status == .succeeded)
    #expect(!(first.journaled + second.journaled).contains("EAA"))
  }

  @Test(arguments: [
    ("1", "pages_manage_posts", true), ("2", "pages_manage_posts", true),
    ("3", "pages_manage_posts", false), ("3", "read_insights", true),
    ("3", "pages_manage_engagement", false), ("3", "pages_messaging", false),
    ("3", "pages_read_engagement", true), ("5", "pages_manage_posts", true),
  ])
  func `a request is sent if the user has the task that its permissions need`(
    _ page: String, _ permission: String, _ isSent: Bool
  ) throws {
    let (run, posts) = try run(
      "p: {as: {page: '\(page)'}, post: me/feed}", permissions: "[\(permission)]")

    #expect(posts.sent.count == (isSent ? 1 : 0))
    #expect(run.outcomes["p"]?.failure?.reason == (isSent ? nil : .permission))
  }

  @Test func `a page without a token fails its requests`() throws {
    let (run, posts) = try run("p: {as: {page: '4'}, post: me/feed}")

    #expect(posts.sent.isEmpty)
    #expect(run.outcomes["p"]?.failure?.reason == .token)
  }

  @Test func `a page's id can come from another answer`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          post: {get: "7", params: {fields: from}}
          delete: {as: {page: "{result=post:$.from.id}"}, delete: "7"}
        """))
    run.answering(["me/accounts": Self.pages, "7": #"{"from": {"id": "2"}}"#])
    _ = try run.run()

    #expect(run.outcomes["delete"]?.failure == nil)
    #expect(run.calls.last?.operations.map(\.path) == ["7"])
  }

  @Test(arguments: ["' || @.id == '2", #"2" || "1" == "1"#, "{item=$.p}", "*", "", "2 ", "02"])
  func `a value never selects another page`(_ value: String) throws {
    let item = JSON.object(["p": .string(value.replacing("{", with: "{{"))]).serialized()
    let (run, posts) = try run(
      "each: {for_each: [\(item)], as: {page: '{item=$.p}'}, post: me/feed}")

    #expect(posts.sent.isEmpty)
    #expect(run.outcomes["each[0]"]?.failure?.reason == .unresolvedReference)
  }

  @Test func `tokens of pages are in neither journal nor report`() throws {
    let (run, posts) = try run("p: {as: {page: '1'}, post: me/feed}")

    #expect(posts.sent.map(\.token.exposed) == ["EAAbakery"])
    #expect(!run.journaled.contains("EAA"))
    #expect(run.outcomes["page-tokens"]?.body == nil)
  }
}
