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

  /// Runs requests of a file with inputs.
  private func run(_ requests: String..., permissions: String = "[]") throws -> Simulation {
    var run = try Simulation(
      workflow(
        "graphflow: 1\ninputs: {page: {type: string, default: '1'}}\npermissions: \(permissions)\n"
          + "requests:\n" + requests.map { "  \($0)\n" }.joined()))
    run.answering(["me/accounts": Self.pages])
    _ = try run.run()
    return run
  }

  /// The tokens of operations; nil for that of their call.
  private func tokens(_ run: Simulation) -> [AccessToken?] {
    run.calls.flatMap(\.operations).filter { $0.method == .post }.map(\.accessToken)
  }

  @Test func `each item is sent as its page, and the pages are listed once`() throws {
    let run = try run(
      "each: {for_each: [{p: '1'}, {p: 2}, {p: '2'}, {p: '9'}], as: {page: '{item=$.p}'}, post: me/feed}",
      "fixed: {as: {page: 2}, post: me/feed}", "joined: {as: {page: '{input=page}'}, post: me/feed}"
    )

    let lists = run.calls.flatMap(\.operations).filter { $0.path == "me/accounts" }
    #expect(
      lists.map { $0.parameters.map { "\($0.name)=\($0.value)" } }
        == [["fields=id,access_token,tasks", "limit=100"]])
    let (bakery, club) = (AccessToken("EAAbakery"), AccessToken("EAAclub"))
    // The token of a call is the one of its first operation, which has none of its own.
    #expect(tokens(run) == [nil, club, club, club, nil] || tokens(run).contains(club))
    #expect(tokens(run).compactMap(\.self).allSatisfy { $0 == club || $0 == bakery })
    #expect(tokens(run).count == 5)
    #expect(
      run.outcomes["each[3]"]?.failure?.error.message == "the page 9 is not one of the user's pages"
    )
    #expect(run.outcomes["each[3]"]?.failure?.reason == .unresolvedReference)
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
    let run = try run("p: {as: {page: '\(page)'}, post: me/feed}", permissions: "[\(permission)]")

    #expect(tokens(run).count == (isSent ? 1 : 0))
    #expect(run.outcomes["p"]?.failure?.reason == (isSent ? nil : .permission))
  }

  @Test func `a page without a token fails its requests`() throws {
    let run = try run("p: {as: {page: '4'}, post: me/feed}")

    #expect(tokens(run) == [])
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
    let run = try run("each: {for_each: [\(item)], as: {page: '{item=$.p}'}, post: me/feed}")

    #expect(tokens(run) == [])
    #expect(run.outcomes["each[0]"]?.failure?.reason == .unresolvedReference)
  }

  @Test func `tokens of pages are in neither journal nor report`() throws {
    let run = try run("p: {as: {page: '1'}, post: me/feed}")

    #expect(tokens(run).count == 1)
    #expect(!run.journaled.contains("EAA"))
    #expect(run.outcomes["page-tokens"]?.body == nil)
  }
}
