import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Which user's or token's permissions are read, and how.
struct PermissionSubjectTests {
  private static let nonexisting = GraphError(
    message: "(#100) Tried accessing nonexisting field (permissions) on node type (Page)", code: 100
  )

  static let inspections: [(facts: String, detail: String?, reason: String?)] = [
    (#"{"is_valid":true,"type":"PAGE","scopes":["a","b"]}"#, nil, nil),
    (#"{"is_valid":true,"type":"PAGE","scopes":["b"]}"#, "a (missing)", "permission"),
    (#"{"is_valid":true,"scopes":["a"],"data_access_expires_at":0}"#, nil, nil),
    (
      #"{"is_valid":true,"scopes":["a"],"data_access_expires_at":1763600000}"#, "a (expired)",
      "permission"
    ),
    (
      #"{"is_valid":false,"scopes":[],"error":{"code":190,"subcode":466,"message":"revoked"}}"#,
      nil, "token"
    ),
    (#"{"is_valid":true}"#, nil, nil),
  ]

  @Test(arguments: inspections)
  func `a token without a user is inspected`(
    _ facts: String, _ detail: String?, _ reason: String?
  ) throws {
    var run = try Simulation(workflow(requests: ["r: {post: x, permissions: [a]}"]))
    run.graph.fault = { operation, _ in
      operation.path == "me/permissions" ? .error(Self.nonexisting, status: 400) : nil
    }
    let body = try JSON(parsing: facts)
    run.graph.inspection = { $0 == "token-of-default" ? body : nil }

    let end = try run.run()

    #expect(run.reason("r") == reason)
    #expect(run.outcomes["r"]?.skipDetail == detail)
    #expect(end?.exitCode == (reason == nil ? 0 : 77))
    #expect(run.graph.ledger.contains("POST x") == (reason == nil))
  }

  @Test func `an app's token is inspected at once and used to inspect others`() throws {
    let appToken = try #require(AccessToken("123|app-secret"))
    var run = try Simulation(
      workflow(requests: [
        "r: {get: x, permissions: [a]}", "s: {get: y, token: app, permissions: [a]}",
      ]), app: (nil, appToken))
    run.giving(["app": ["123|app-secret"]])
    run.graph.fault = { operation, _ in
      operation.path == "me/permissions" ? .error(Self.nonexisting, status: 400) : nil
    }
    run.graph.inspection = { token in
      ["is_valid": true, "scopes": token == "token-of-default" ? ["a"] : []]
    }
    var askers: [AccessToken] = []
    run.callFault = { call in
      guard case .batch(let batch) = call.content else { return nil }
      for operation in batch.operations where operation.path == "debug_token" {
        askers.append(operation.accessToken ?? batch.accessToken)
      }
      return nil
    }

    _ = try run.run()

    #expect(run.statuses == ["r": .succeeded, "s": .skipped])
    #expect(askers == [appToken, appToken])
  }

  @Test func `a token from outside has its own permissions`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {key: secret, pages: list}
        requests:
          me: {get: me, token: "{input=key}", permissions: [a]}
          also: {get: me/likes, token: "{input=key}", permissions: [a, b]}
          each:
            for_each: "{input=pages}"
            key: "{item=$.id}"
            get: "{item=$.id}"
            token: "{item=$.access_token}"
            permissions: [a]

        """),
      inputs: [
        ("key", "outside-token"),
        ("pages", #"[{"id":"1","access_token":"page-one"},{"id":"2","access_token":"page-two"}]"#),
      ])
    run.graph.permissions = ["a": "granted"]

    _ = try run.run()

    #expect(run.sent.filter { $0 == "GET me/permissions" }.count == 3)
    #expect(
      run.statuses == [
        "me": .succeeded, "also": .skipped, "each[1]": .succeeded, "each[2]": .succeeded,
      ])
    #expect(
      run.grants == [
        "{input=key}: a granted", "{input=key}: b missing", "{item=$.access_token} of 1: a granted",
        "{item=$.access_token} of 2: a granted",
      ])
    #expect(!"\(run.events)".contains("page-one"))
  }

  @Test func `a page token has the permissions of the user that it came from`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          pages: {get: me/accounts}
          each:
            for_each: "{result=pages:$.data[*]}"
            key: "{item=$.id}"
            post: "{item=$.id}/feed"
            token: "{item=$.access_token}"
            permissions: [a]
          one: {get: x, token: "{result=pages:$.data[0].access_token}", permissions: [a]}

        """))
    run.answering([
      "me/permissions": #"{"data":[{"permission":"a","status":"granted"}]}"#,
      "me/accounts":
        #"{"data":[{"id":"1","access_token":"page-one"},{"id":"2","access_token":"page-two"}]}"#,
    ])

    let end = try run.run()

    #expect(end?.exitCode == 0)
    #expect(run.sent.filter { $0 == "GET me/permissions" }.count == 1)
    #expect(run.grants == ["default: a granted"])
    #expect(!"\(run.events)".contains("page-one"))
  }

  @Test func `a permission error skips requests that need it with that token, without a call`()
    throws
  {
    var run = try Simulation(
      workflow(requests: [
        "a: {post: a}", "b: {get: b, permissions: [publish_video], depends_on: [c]}",
        "c: {get: c, expect: [\"status() == 200\"]}",
        "d: {get: d, token: other, permissions: [publish_video], depends_on: [c]}",
      ]))
    run.graph.permissions = ["publish_video": "granted"]
    run.graph.fault = { operation, _ in
      operation.path == "a"
        ? .error(
          GraphError(message: "(#299) Requires extended permission: publish_video", code: 299),
          status: 403) : nil
    }

    let end = try run.run()

    #expect(run.statuses == ["a": .failed, "b": .skipped, "c": .succeeded, "d": .succeeded])
    #expect(run.outcomes["b"]?.skipDetail == "publish_video (missing)")
    #expect(!run.sent.contains("GET b"))
    #expect(run.grants.last == "default: publish_video missing")
    #expect(end?.exitCode == 77)
  }

  static let messages: [(message: String, names: [String])] = [
    ("(#299) Requires extended permission: rsvp_event", ["rsvp_event"]),
    ("(#299) Requires extended permission: email", ["email"]),
    (
      "(#10) This endpoint requires the 'pages_read_engagement' permission or the 'Page Public "
        + "Content Access' feature. Refer to https://developers.facebook.com/x_y for details.",
      ["pages_read_engagement"]
    ),
    ("(#200) Requires pages_manage_posts permission to manage the object", ["pages_manage_posts"]),
    ("(#200) Requires both pages_read_engagement and pages_manage_posts permission", []),
    (
      "(#200) If posting to a group, requires app being installed in the group, and either "
        + "publish_to_groups permission with user token; If posting to a page, requires both", []
    ),
    ("(#200) Permissions error", []), ("requires", []), ("requires permission:", []), ("", []),
  ]

  @Test(arguments: messages)
  func `the missing permissions are parsed from a permission error`(
    _ message: String, _ names: [String]
  ) { #expect(GraphError(message: message, code: 200).deniedPermissions == names) }
}
