package import JSONPath
import TestSupport
import Testing

/// What a login needs: a sandbox, a home without a token, and someone who enters codes.
package struct LoginFixture {
  package let graphflow: CommandFixture
  package let sandbox: SandboxProcess

  /// The client token of the app, which no output may show.
  package static let clientToken = "clientcanary4711"
  /// The folder of stored logins, in the temporary folder.
  package static let logins = "home/.config/graphflow/logins"

  /// Starts a sandbox, with these faults if there are any.
  package init(faults: String? = nil) throws {
    var graphflow = try CommandFixture()
    var flags: [String] = []
    if let faults { flags = ["--faults", try graphflow.folder.write(faults, to: "faults.yaml")] }
    sandbox = try SandboxProcess(for: graphflow, flags)
    graphflow.environment = [
      "GRAPHFLOW_GRAPH_URL": sandbox.url, "GRAPHFLOW_APP_ID": "122000000000001",
      "GRAPHFLOW_CLIENT_TOKEN": LoginFixture.clientToken,
    ]
    self.graphflow = graphflow
  }

  /// Stores the sandbox's own token for a profile.
  package func storeToken(_ token: String? = nil, as profile: String = "default") throws -> Outcome
  {
    try graphflow(
      "login", "--profile", profile, "--token-stdin", input: (token ?? sandbox.token) + "\n")
  }

  /// Starts a login and reads its user code.
  package func startLogin(_ flags: String...) throws -> (process: ChildProcess, userCode: String) {
    try start(["login", "--format", "json"] + flags)
  }

  /// Starts a command that prints the code of a login as JSON, and reads its user code.
  package func start(_ words: String...) throws -> (process: ChildProcess, userCode: String) {
    try start(words)
  }

  private func start(_ words: [String]) throws -> (process: ChildProcess, userCode: String) {
    let process = try graphflow.start(words)
    try process.read { $0.standardOutput.contains(UInt8(ascii: "\n")) }
    let line = process.standardOutput.prefix { $0 != UInt8(ascii: "\n") }
    let facts = try JSON(parsing: Array(line))
    #expect(facts["status"] == "waiting")
    return (process, try #require(facts["user_code"]?.string))
  }

  /// Decides on a user code, as a person would on the page where it is entered.
  package func decide(_ userCode: String, _ words: String...) throws {
    let outcome = try graphflow.run(
      ["post", "sandbox/devices", "user_code=\(userCode)"] + words,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": sandbox.token])
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  /// Waits until a command ends.
  package func outcome(of process: ChildProcess) throws -> Outcome { try Outcome(of: process) }

  /// Waits until a login ends, and reads the last line that it printed.
  package func lastLine(
    of process: ChildProcess
  ) throws -> (code: Int32, facts: JSON, outcome: Outcome) {
    let outcome = try outcome(of: process)
    let last = outcome.output.split(separator: "\n").last.map(String.init) ?? "null"
    return (outcome.code, try JSON(parsing: last), outcome)
  }

  /// The files of stored logins.
  package var files: [String] {
    graphflow.folder.files().filter { $0.hasPrefix(LoginFixture.logins) && $0.hasSuffix(".json") }
  }

  /// The only stored login.
  package func onlyStoredLogin() throws -> JSON {
    #expect(files.count == 1)
    let path = graphflow.folder.path + "/" + (try #require(files.first))
    return try JSON(parsing: contents(of: path))
  }

  /// Stores a login with a token that Graph refuses.
  package func storeRefusedToken(
    as profile: String = "default", at url: String? = nil, end: Int = 0
  ) throws {
    let url = url ?? sandbox.url
    let facts: JSON = [
      "graphflow_login": 1, "profile": .string(profile), "graph_url": .string(url),
      "access_token": "EAAdead4711", "obtained_at": 1_700_000_000,
      "expires_at": .number(.init(end)),
    ]
    let host = url.replacing(":", with: "%3A").replacing("/", with: "%2F")
    try graphflow.folder.makeFolder(LoginFixture.logins)
    try graphflow.folder.write(
      facts.serialized(), to: "\(LoginFixture.logins)/\(profile)@\(host).json", mode: 0o600)
  }
}
