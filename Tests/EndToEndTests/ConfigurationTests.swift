import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Flags override the environment, which overrides `config.yaml`; and the sources of tokens.
struct ConfigurationTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func get(_ flags: String..., environment: [String: String] = [:]) throws -> Outcome {
    try graphflow.run(["get", "me"] + flags, environment: environment)
  }

  @Test func `a profile takes its token from a variable, a file or a program`() throws {
    let secret = try graphflow.folder.write(sandbox.token + "\n", to: "token", mode: 0o600)
    try graphflow.configure(
      """
      graph_url: \(sandbox.url)
      version: v24.0
      profiles:
        default: {env: MY_TOKEN}
        filed: {file: \(secret)}
        printed: {command: [cat, \(secret)]}

      """)
    let variables = ["MY_TOKEN": sandbox.token]

    #expect(try get(environment: variables).code == 0)
    #expect(try get("--profile", "filed").code == 0)
    #expect(try get("--profile", "printed").code == 0)
    #expect(try get(environment: ["GRAPHFLOW_PROFILE": "filed"]).code == 0)
    #expect(try get().code == 77)
    #expect(try get("--profile", "nobody").code == 77)
  }

  @Test(arguments: ["EAA" + String(repeating: "x1", count: 30), "some-other-secret-of-30-letters"])
  func `a token where a profile belongs gives one error, and is not shown`(_ token: String) throws {
    try graphflow.configure("profiles:\n  default: \(token)\n")

    let outcome = try get("--graph-url", sandbox.url)

    #expect(outcome.code == 78)
    #expect(outcome.error.contains("2:12: error: a profile is not a token; it names its source"))
    #expect(outcome.error.split(separator: "\n").count { $0.contains("error:") } == 1)
    #expect(!outcome.error.contains(token))
  }

  @Test func `flags win over the environment, which wins over the file`() throws {
    let refused = try #require(LoopbackPort())
    try graphflow.configure("graph_url: \(refused.url)\n")
    let token = ["GRAPHFLOW_ACCESS_TOKEN": sandbox.token]

    #expect(try get(environment: token).code == 69)
    #expect(
      try get(environment: token.merging(["GRAPHFLOW_GRAPH_URL": sandbox.url]) { $1 }).code == 0)
    #expect(
      try get(
        "--graph-url", sandbox.url,
        environment: token.merging(["GRAPHFLOW_GRAPH_URL": refused.url]) { $1 }
      ).code == 0)
  }

  @Test func `a token file that others may read is refused`() throws {
    let secret = try graphflow.folder.write(sandbox.token, to: "token", mode: 0o640)
    try graphflow.configure("graph_url: \(sandbox.url)\nprofiles:\n  default: {file: \(secret)}\n")

    let outcome = try get()

    #expect(outcome.code == 78)
    #expect(
      graphflow.stable(outcome.error) == """
        error: profile 'default': '{folder}/token' can be read by users other than its owner
          chmod 600 '{folder}/token'

        """)
  }

  @Test(arguments: [
    ("[\"false\"]", "'false' ended with exit code 1"),
    ("[\"true\"]", "'true' holds no token"),
    ("[\"nowhere-to-be-found\"]", "'nowhere-to-be-found' cannot be started"),
    ("[\"head\", \"-c\", \"70000\", \"/dev/zero\"]", "'head' printed more than 64 KiB"),
    ("[\"echo\", \"two words\"]", "what 'echo' holds is not a token"),
  ])
  func `a program that prints no token is reported`(_ command: String, _ message: String) throws {
    try graphflow.configure(
      "graph_url: \(sandbox.url)\nprofiles: {default: {command: \(command)}}\n")

    let outcome = try get()

    #expect(outcome.code == 77)
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }

  @Test func `a profile without a stored login shows how to log in`() throws {
    try graphflow.configure("graph_url: \(sandbox.url)\nprofiles: {default: {login: true}}\n")

    let outcome = try graphflow("run", "workflows/permissions-audit.yaml")
    let page = try graphflow("run", "workflows/post-and-verify.yaml")

    #expect(outcome.code == 77)
    #expect(outcome.error.contains("graphflow login --profile default"))
    #expect(page.code == 77)
    #expect(page.error.contains("graphflow login --page NAME"))
  }

  @Test func `a login that others may read is refused before the run starts`() throws {
    try graphflow.configure("graph_url: \(sandbox.url)\nprofiles: {page: {login: true}}\n")
    try graphflow.folder.makeFolder("home/.config/graphflow/logins")
    chmod(graphflow.folder.path + "/home/.config/graphflow/logins", 0o750)

    let outcome = try graphflow("run", "workflows/post-and-verify.yaml")

    #expect(outcome.code == 78)
    #expect(outcome.error.contains("logins' can be read by users other than its owner"))
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state/runs") })
  }

  @Test func `the value of login is true or absent`() throws {
    try graphflow.configure("profiles: {default: {login: maybe}}\n")

    let outcome = try get()

    #expect(outcome.code == 78)
    #expect(outcome.error.contains("'login' must be true, or left out"))
  }

  @Test func `a chosen profile replaces the workflow's`() throws {
    try graphflow.configure(
      "graph_url: \(sandbox.url)\nprofiles: {other: {command: [echo, \(sandbox.pageToken)]}}\n")

    let (outcome, report) = try graphflow.report(
      "run", "workflows/post-and-verify.yaml", "--profile", "other")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.one("$.run.profile") == "other")
  }

  @Test func `errors in the configuration have a location`() throws {
    try graphflow.configure(
      """
      graph_ulr: https://graph.facebook.com
      version: 25
      profiles:
        default: {env: A, file: b}
        other: {shell: echo}

      """)

    let outcome = try get()

    #expect(outcome.code == 78)
    #expect(outcome.output == "")
    expectGolden(graphflow.stable(outcome.error), named: "diagnostics/configuration.txt")
  }

  @Test(arguments: [
    ["GRAPHFLOW_GRAPH_URL": "http://example.com"], ["GRAPHFLOW_APP_SECRET": "it holds no blanks"],
  ])
  func `an invalid variable is a configuration error`(_ variables: [String: String]) throws {
    #expect(try get(environment: variables).code == 78)
  }
}
