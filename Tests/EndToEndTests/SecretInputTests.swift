import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// How the command receives secrets, and how it reports errors in them.
struct SecretInputTests {
  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  private func workflow(_ text: String) throws -> String {
    try graphflow.folder.write("graphflow: 1\n" + text, to: "w.yaml")
  }

  private func pinned() throws -> String {
    try workflow(
      "inputs: {pin: secret}\nrequests: {a: {get: me, token: \"{input=pin}\", batch: alone}}\n")
  }

  @Test
  func `a secret on the command line is warned about, and comes from a file or standard input`()
    throws
  {
    let file = try pinned()
    let secret = try graphflow.folder.write(sandbox.token + "\n", to: "pin", mode: 0o600)
    let variables = ["GRAPHFLOW_GRAPH_URL": sandbox.url]
    let warning = "warning: the secret input 'pin' is on the command line"

    let written = try graphflow(
      "run", file, "--input", "pin=\(sandbox.token)", environment: variables)
    let filed = try graphflow("run", file, "--input", "pin=@\(secret)", environment: variables)
    let piped = try graphflow(
      "run", file, "--input", "pin=@-", input: sandbox.token + "\n", environment: variables)

    for outcome in [written, filed, piped] { #expect(outcome.code == 0, "\(outcome.error)") }
    #expect(written.error.contains(warning))
    #expect(!filed.error.contains("warning") && !piped.error.contains("warning"))
  }

  @Test(arguments: [
    ("@@everyone", "@everyone"), ("a@b", "a@b"), ("@FILE", "two\nlines"),
  ])
  func `a value that begins with @ is written with two`(_ flag: String, _ value: String) throws {
    let file = try workflow(
      "inputs: {m: string}\nrequests: {a: {post: me/feed, params: {message: \"{input=m}\"}}}\n"
        + "outputs: {m: \"{input=m}\"}\n")
    let path = try graphflow.folder.write("two\nlines\n", to: "m.txt")

    let outcome = try graphflow(
      "run", file, "--input", "m=" + flag.replacing("FILE", with: path),
      environment: sandbox.environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try JSON(parsing: outcome.output)["m"]?.string == value)
  }

  @Test(arguments: [
    ("pin=@missing.txt", 66, "write @@ for a value that begins with @"),
    ("pin=@-", 66, "standard input is empty"), ("pin=@", 66, "a file name is missing after @"),
  ])
  func `a value that cannot be read is an error`(
    _ flag: String, _ code: Int32, _ message: String
  ) throws {
    let outcome = try graphflow("run", try pinned(), "--input", flag)

    #expect(outcome.code == code)
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }

  @Test(arguments: [
    "app_secret: my-own-words-0123456789", "client_token: my-own-words-0123456789",
    "profiles: {default: {token: my-own-words-0123456789}}",
    "profiles: {default: my-own-words-0123456789}",
    "profiles:\n  default: {my-own-words-0123456789}",
    "profiles: {default: {env: my-own-words-0123456789}}",
    "profiles: {default: {file: my-own-words-0123456789}}",
    "profiles: {default: {command: [my-own-words-0123456789]}}",
    "profiles: {default: {login: my-own-words-0123456789}}",
    "token: my-own-words-0123456789: [",
    "token: \"my-own-words-0123456789\nversion: v25.0",
    "my-own-words-0123456789",
    "graph_url: https://me:my-own-words-0123456789@graph.facebook.com",
    "graph_url: https://graph.facebook.com/?access_token=my-own-words-0123456789",
    "version: my-own-words-0123456789",
  ])
  func `an error in the configuration does not print the value`(_ text: String) throws {
    try graphflow.configure(text + "\n")

    let outcome = try graphflow("get", "me")

    #expect(outcome.code == 78 || outcome.code == 77)
    #expect(!(outcome.error + outcome.output).contains("my-own-words"), "\(outcome.error)")
    #expect(outcome.error.contains("error:"))
  }

  @Test func `a refused address is not printed`() throws {
    let address = "https://me:my-own-words@graph.facebook.com/?t=my-own-words"

    let flag = try graphflow("get", "me", "--graph-url", address)
    let variable = try graphflow("get", "me", environment: ["GRAPHFLOW_GRAPH_URL": address])

    #expect(flag.code == 64 && variable.code == 78)
    #expect(!(flag.error + variable.error).contains("my-own-words"))
  }

  @Test func `a program that prints a token receives no other, and no core is dumped`() throws {
    let program = try graphflow.folder.write(
      """
      #!/bin/sh
      env > '\(graphflow.folder.path)/seen'
      ulimit -c >> '\(graphflow.folder.path)/seen'
      echo '\(sandbox.token)'

      """, to: "program", mode: 0o700)
    try graphflow.configure("profiles: {default: {command: [\(program)]}}\n")

    let outcome = try graphflow(
      "get", "me",
      environment: [
        "GRAPHFLOW_GRAPH_URL": sandbox.url, "GRAPHFLOW_APP_SECRET": "a-secret-of-an-app",
        "GRAPHFLOW_CLIENT_TOKEN": "a-client-token", "GRAPHFLOW_INPUT_PIN": "a-pin",
        "ORDINARY": "yes",
      ])

    // The sandbox has another app's secret, so the answer does not matter.
    _ = outcome
    let seen = try TestSupport.text(of: graphflow.folder.path + "/seen")
    #expect(seen.contains("ORDINARY=yes"))
    #expect(!seen.contains("GRAPHFLOW_"))
    #expect(seen.hasSuffix("\n0\n"))
  }

  @Test
  func `a run key that looks like a token is refused, because masking would make two keys equal`()
    throws
  {
    let outcome = try graphflow(
      "run", try pinned(), "--run-key", "EAA" + String(repeating: "x1", count: 20))

    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--run-key is a token"))
    #expect(!outcome.error.contains("x1x1x1"))
  }

  @Test func `a resumed run needs the values that its journal masks`() throws {
    let file = try workflow(
      """
      inputs: {note: string}
      requests:
        wrong: {get: nobody_knows_this, retry: false}
        post: {post: me/feed, params: {message: "{input=note}"}, depends_on: [wrong]}

      """)
    let note = "note=see ?access_token=zzz"
    let first = try graphflow("run", file, "--input", note, environment: sandbox.environment)
    #expect(first.code == 1, "\(first.error)")

    let silent = try graphflow("resume", "latest", environment: sandbox.environment)
    let other = try graphflow(
      "resume", "latest", "--input", "note=something else", environment: sandbox.environment)
    let same = try graphflow("resume", "latest", "--input", note, environment: sandbox.environment)

    #expect(
      silent.code == 65 && silent.error.contains("input 'note' is missing"), "\(silent.error)")
    #expect(
      other.code == 65 && other.error.contains("does not have the value with which"),
      "\(other.error)")
    #expect(same.code == 1, "\(same.error)")
  }
}
