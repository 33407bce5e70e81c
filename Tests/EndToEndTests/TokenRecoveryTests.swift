import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Tokens that expire, are renewed, come from results, and never reach a disk.
struct TokenRecoveryTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func configure(_ profiles: String) throws {
    try graphflow.configure("graph_url: \(sandbox.url)\nprofiles:\n\(profiles)")
  }

  private func write(_ requests: String) throws -> String {
    try graphflow.folder.write("graphflow: 1\nrequests:\n\(requests)", to: "work.yaml")
  }

  @Test func `a program whose first token has expired runs again, and the run continues`() throws {
    let script = try graphflow.folder.write(
      "if [ -e asked ]; then echo \(sandbox.pageToken); else touch asked; echo EAAexpired4711; fi\n",
      to: "token.sh")
    try configure("  default: {command: [sh, \(script)]}\n")
    let file = try write("  post: {post: me/feed, params: {message: Hi}}\n  me: {get: me}\n")

    let (outcome, report) = try graphflow.report(
      "run", file, "--verbose", in: graphflow.folder.path)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("the profile default returned a new token"))
    #expect(try report.all("$.requests[*].attempts[*].outcome").compactMap(\.string).count == 4)
    let posts = try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }
    #expect(posts.filter { $0.code == 200 }.count == 1)
    #expect(graphflow.folder.holds("EAAexpired4711") == ["token.sh"])
  }

  @Test func `a file that was renewed meanwhile is read again`() throws {
    let stale = try graphflow.folder.write("EAAstale4711\n", to: "token", mode: 0o600)
    // The other profile's program runs after the file was read, and renews it.
    let script = try graphflow.folder.write(
      "echo \(sandbox.token) > \(stale); echo \(sandbox.token)\n", to: "renew.sh")
    try configure("  default: {file: \(stale)}\n  other: {command: [sh, \(script)]}\n")
    let file = try write("  a: {get: me}\n  b: {get: me, token: other}\n")

    let outcome = try graphflow("run", file)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(graphflow.folder.holds("EAAstale4711") == [])
  }

  @Test func `a token that stays dead exits with 77, and requests with others continue`() throws {
    try configure("  other: {env: OTHER}\n")
    let file = try write(
      """
        a: {get: me}
        b: {get: me, token: other}
        c: {get: me/feed, depends_on: [b]}

      """)

    let (outcome, report) = try graphflow.report(
      "run", file, environment: ["GRAPHFLOW_ACCESS_TOKEN": "EAAdead4711", "OTHER": sandbox.token])

    #expect(outcome.code == 77)
    let statuses = try report.all("$.requests[*].status").compactMap(\.string)
    #expect(statuses == ["failed", "succeeded", "failed"])
    let hint = try report.one("$.requests[2].error.hint").string ?? ""
    #expect(hint.contains("gives the same token again"), "\(hint)")
    #expect(try sandbox.calls().flatMap(\.operations).allSatisfy { $0.resolvedURL != "me/feed" })
    #expect(graphflow.folder.holds("EAAdead4711") == [])
  }

  @Test func `page tokens of one answer post in one batch, and appear nowhere`() throws {
    let file = try write(
      """
        pages: {get: me/accounts, params: {fields: "id,access_token"}}
        publish:
          for_each: "{result=pages:$.data[:2]}"
          key: "{item=$.id}"
          post: "{item=$.id}/feed"
          params: {message: "News {item=$.id}"}
          token: "{item=$.access_token}"
          permissions: [pages_manage_posts, pages_read_engagement]

      """)

    let (outcome, report) = try graphflow.report(
      "run", file,
      environment: sandbox.environment(with: sandbox.token).merging([
        "GRAPHFLOW_APP_SECRET": "s3cret-of-app"
      ]) { $1 })

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.one("$.summary.succeeded").integer == 3)
    #expect(
      try report.all("$.permissions[*].token").compactMap(\.string) == ["default", "default"])
    let posts = try sandbox.calls().filter { $0.operations.contains { $0.method == "POST" } }
    #expect(posts.map(\.operations.count) == [2])
    #expect(posts.flatMap(\.operations).allSatisfy { $0.code == 200 })
    for secret in [sandbox.pageToken, sandbox.token, "s3cret-of-app", "EAA"] {
      #expect(graphflow.folder.holds(secret) == [], "\(outcome.error)")
      #expect(!outcome.error.contains(secret) && !outcome.output.contains(secret))
    }
  }

  @Test func `a page's own token is inspected, and a missing permission is found`() throws {
    let file = try write(
      """
        may: {get: me, permissions: [pages_manage_posts]}
        maynot: {get: me, permissions: [user_birthday]}

      """)

    let (outcome, report) = try graphflow.report(
      "run", file,
      environment: [
        "GRAPHFLOW_GRAPH_URL": sandbox.url, "GRAPHFLOW_ACCESS_TOKEN": sandbox.pageToken,
      ])

    #expect(outcome.code == 77)
    #expect(
      try report.all("$.permissions[*].status").compactMap(\.string) == ["granted", "missing"])
    #expect(
      try report.all("$.requests[*].status").compactMap(\.string) == ["succeeded", "skipped"])
    #expect(graphflow.folder.holds(sandbox.pageToken) == [])
  }
}

extension TemporaryFolder {
  /// The names of the files that contain a text.
  fileprivate func holds(_ text: String) -> [String] {
    files().filter { name in
      guard let bytes = try? contents(of: path + "/" + name) else { return false }
      return bytes.contains(Array(text.utf8))
    }
  }
}
