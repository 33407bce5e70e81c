import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Permissions are prerequisites: they are read once, before the requests that need them.
struct PermissionTests {
  static let requests = [
    "free: {get: me}",
    "post: {post: me/feed, permissions: [pages_manage_posts, email]}",
    "after: {get: \"{result=post:$.id}\"}",
  ]

  @Test func `granted permissions are read once and let everything through`() throws {
    var run = try Simulation(workflow(requests: Self.requests))
    run.graph.permissions = ["pages_manage_posts": "granted", "email": "granted"]

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.ledger.filter { $0 == "GET me/permissions" }.count == 1)
    #expect(run.graph.ledger.first == "GET me/permissions")
    #expect(end?.callsLowerBound == 1)
  }

  @Test func `a missing or declined permission skips only the requests that need it`() throws {
    var run = try Simulation(workflow(requests: Self.requests))
    run.graph.permissions = ["pages_manage_posts": "declined"]

    let end = try run.run()

    #expect(run.statuses == ["free": .succeeded, "post": .skipped, "after": .skipped])
    #expect(run.outcomes["post"]?.skipDetail == "pages_manage_posts (declined), email (missing)")
    #expect(end?.exitCode == 77)
    #expect(run.graph.ledger == ["GET me/permissions", "GET me"])
    let readings = run.events.compactMap { event in
      if case .permissionsRead(let readings) = event { readings } else { nil }
    }
    #expect(readings.joined().map(\.status) == ["declined", "missing"])
  }

  @Test func `permissions are not read if no request needs them`() throws {
    var run = try Simulation(workflow(requests: ["free: {get: me}"]))

    _ = try run.run()

    #expect(run.graph.ledger == ["GET me"])
  }

  @Test func `a resumed run reads them only for requests about to be sent`() throws {
    let workflow = try workflow(requests: [
      "free: {get: me}",
      "each: {get: \"{item}\", for_each: [x1, x2], permissions: [email], depends_on: [free]}",
    ])
    var first = try Simulation(workflow)
    first.graph.permissions = ["email": "granted"]
    _ = try first.run()
    let done = first.events.count { if case .requestEnded = $0 { true } else { false } }
    #expect(done == 3)

    var second = try Simulation(workflow, replaying: first.events, at: first.now)
    #expect(try second.run()?.status == .succeeded)
    #expect(second.calls.isEmpty)

    // The second item is unfinished: now the permissions are needed.
    let cut = first.events.lastIndex { if case .requestEnded = $0 { true } else { false } }
    let events = Array(first.events.prefix(try #require(cut)))
    var third = try Simulation(workflow, replaying: events, at: first.now)
    third.graph.permissions = ["email": "declined"]
    let end = try third.run()
    #expect(third.graph.ledger == ["GET me/permissions"])
    #expect(third.statuses == ["each[1]": .skipped] && end?.exitCode == 77)
  }

  @Test func `required permissions stop the whole run before it sends anything`() throws {
    var run = try Simulation(
      workflow(requests: Self.requests), options: RunOptions(requiresPermissions: true))

    let end = try run.run()

    #expect(run.graph.ledger == ["GET me/permissions"])
    #expect(run.statuses == ["free": .skipped, "post": .skipped, "after": .skipped])
    #expect(end?.exitCode == 77)
  }

  @Test func `a dead token fails the requests that need it, with exit code 77`() throws {
    var run = try Simulation(workflow(requests: Self.requests))
    run.callFault = { _ in
      let error = GraphError(message: "Session has expired", code: 190, subcode: 463)
      return .answered(
        .refused(error, status: 400), CallFacts(status: 400, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.exitCode == 77)
    #expect(run.outcomes["post"]?.failure?.reason == .token)
    #expect(run.outcomes["post"]?.failure?.hint.isEmpty == false)
  }

  @Test func `a look-up with a transient failure is retried`() throws {
    var run = try Simulation(workflow(requests: Self.requests))
    run.graph.permissions = ["pages_manage_posts": "granted", "email": "granted"]
    run.graph.fault = { _, number in number == 0 ? .error(.service, status: 500) : nil }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.graph.ledger.filter { $0 == "GET me/permissions" }.count == 1)
  }

  @Test func `a token without a list of permissions does not block requests`() throws {
    var run = try Simulation(workflow(requests: Self.requests))
    run.graph.fault = { operation, _ in
      operation.path == "me/permissions"
        ? .error(
          GraphError(
            message: "(#100) Tried accessing nonexisting field (permissions) on node type (Page)",
            code: 100), status: 400) : nil
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
  }
}
