import CommandHarness
import GraphFlow
import TestSupport
import Testing

@testable import GraphFlowCLI

/// What shells are offered; `make try-completions` asks the shells themselves.
struct CompletionTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// What the completion script of a shell gets for the word that is being typed.
  private func offered(
    _ words: String..., for argument: String, shell: String = "bash"
  ) throws -> [String] { try offered(words, for: argument, shell: shell) }

  private func offered(
    _ words: [String], for argument: String, shell: String = "bash"
  ) throws -> [String] {
    let outcome = try graphflow.run(
      ["---completion", words[0], "--", argument, "\(words.count)", "0", "graphflow"] + words,
      in: graphflow.folder.path, environment: ["SAP_SHELL": shell])
    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    return outcome.output.split(separator: "\n").map { String($0) }
  }

  @Test(arguments: CompletionsCommand.Shell.allCases)
  func `every shell has a script that names every command`(
    _ shell: CompletionsCommand.Shell
  ) throws {
    let outcome = try graphflow("completions", shell.rawValue)

    #expect(outcome.code == 0)
    for command in HelpTests.commands { #expect(outcome.output.contains(command)) }
  }

  @Test func `the newest runs come first, with their time where the shell shows it`() throws {
    let ids = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRY"]
    for id in ids { try graphflow.folder.makeFolder("state/runs/\(id)") }

    #expect(try offered("resume", "", for: "positional@0") == ["latest"] + ids.reversed())
    #expect(try offered("resume", "01B", for: "positional@0") == [ids[1]])
    #expect(
      try offered("resume", "01A", for: "positional@0", shell: "fish") == [
        "\(ids[0])\t2016-07-30T23:54:10.259Z"
      ])
    #expect(try offered("resume", "--state-dir=none", "", for: "positional@0") == [])
  }

  @Test func `the requests are those of the workflow on the line`() throws {
    _ = try graphflow.folder.write(
      "graphflow: 1\nrequests: {one: {get: me}, two: {get: me}}\n", to: "a flow.yaml")
    _ = try graphflow.folder.write("graphflow: [", to: "broken.yaml")

    #expect(try offered("explain", "'a flow.yaml'", "", for: "positional@1") == ["one", "two"])
    #expect(try offered("explain", "a\\ flow.yaml", "t", for: "positional@1") == ["two"])
    #expect(try offered("explain", "broken.yaml", "", for: "positional@1") == [])
    #expect(try offered("explain", "missing.yaml", "", for: "positional@1") == [])
  }

  @Test func `profiles that a shell would expand are not offered`() throws {
    try graphflow.configure("profiles: {shop: {env: A}, \"$(reboot)\": {env: B}}\n")

    #expect(try offered("run", "--profile", "", for: "--profile") == ["default", "shop"])

    try graphflow.configure("profiles: [")
    #expect(try offered("run", "--profile", "", for: "--profile") == ["default"])
  }

  @Test(arguments: [
    ["---completion"], ["---completion", "gone", "--", "--x", "1", "0"],
    ["---completion", "run", "--", "--profile", "x"],
    ["---completion", "run", "--", "--profile", "99", "0", "--log-format", "x"],
  ])
  func `a call of another version's script prints no message`(_ words: [String]) throws {
    let outcome = try graphflow.run(words)

    #expect(outcome.code == 0)
    #expect(outcome.error == "")
  }

  @Test func `errors are offered by their code`() throws {
    let codes = try offered("explain-error", "190/46", for: "positional@0")

    #expect(codes.contains("190/463"))
    #expect(codes.allSatisfy { $0.hasPrefix("190/46") })
  }

  @Test func `paths and fields are completed`() throws {
    let path = "positional@0"
    #expect(try offered("get", "me/fe", for: path) == ["me/feed"])
    #expect(try offered("get", "me/feed/com", for: path) == ["me/feed/comments"])
    #expect(try offered("get", "me/nothing/", for: path) == [])
    #expect(try offered("get", "m", for: path) == ["me"])
  }

  @Test(arguments: [
    (["fields=mess"], ["fields=message", "fields=message_tags"]),
    (["fields=id,created_t"], ["fields=id,created_time"]),
    // Bash ends words at the sign.
    (["fields", "=", "id,created_t"], ["id,created_time"]), (["limit", "=", "1"], []),
    (["fi"], ["fields="]), (["fields=no_such"], []),
  ])
  func `names of fields are completed`(_ typed: [String], _ expected: [String]) throws {
    let words = ["get", "--profile", "shop", "me/feed"] + typed
    #expect(try offered(words, for: "positional@1") == expected)
    #expect(
      try offered(words, for: "positional@1", shell: "fish").map { $0.prefix { $0 != "\t" } }
        == expected.map { $0[...] })
  }

  @Test(arguments: [
    ("plain", "plain"), ("'a b'", "a b"), (#"a\ b"#, "a b"), (#"'a\b'"#, #"a\b"#),
    (#""a'b""#, "a'b"), (#""a\"b""#, #"a"b"#), ("'open", "open"), (#"\\"#, #"\"#),
  ])
  func `a word is read as the shell would`(_ word: String, _ text: String) {
    #expect(TypedLine.unquoted(word) == text)
  }
}
