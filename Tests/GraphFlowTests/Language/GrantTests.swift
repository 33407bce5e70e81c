import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Permissions are looked up once for each token, as late as possible, and their status is reported.
struct GrantTests {
  static let statuses: [(status: String?, detail: String?)] = [
    ("granted", nil), ("declined", "a (declined)"), ("expired", "a (expired)"),
    (nil, "a (missing)"),
  ]

  @Test(arguments: statuses)
  func `only a granted permission lets a request through`(
    _ status: String?, _ detail: String?
  ) throws {
    var run = try Simulation(workflow(requests: ["r: {get: me, permissions: [a]}"]))
    run.graph.permissions = status.map { ["a": $0] } ?? [:]

    let end = try run.run()

    #expect(run.outcomes["r"]?.skipDetail == detail)
    #expect(end?.exitCode == (detail == nil ? 0 : 77))
  }

  @Test func `each token is looked up once, and an unneeded one never`() throws {
    var run = try Simulation(
      workflow(
        requests: ["one", "two", "three"].flatMap { profile in
          (1...3).map { number in
            let needs = profile == "three" ? "" : ", permissions: [a]"
            return "\(profile)\(number): {get: me, token: \(profile)\(needs)}"
          }
        }))
    run.graph.permissions = ["a": "granted"]
    var asked: [AccessToken] = []
    run.callFault = { call in
      if case .batch(let batch) = call.content, batch.operations[0].path == "me/permissions" {
        asked += batch.operations.map { $0.accessToken ?? batch.accessToken }
      }
      return nil
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(asked == ["one", "two"].compactMap { AccessToken("token-of-\($0)") })
  }

  @Test func `a permission error from Graph has the reason permission`() throws {
    for code in [10, 200, 299] {
      var run = try Simulation(workflow(requests: ["r: {post: x}", "other: {get: me}"]))
      run.graph.fault = { operation, _ in
        operation.path == "x"
          ? .error(GraphError(message: "(#\(code)) Permissions error", code: code), status: 403)
          : nil
      }

      let end = try run.run()

      #expect(run.outcomes["r"]?.failure?.category == .recoverable)
      #expect(run.reason("r") == "permission")
      #expect(run.statuses["other"] == .succeeded)
      #expect(end?.exitCode == 77)
    }
  }
}
