import CommandHarness
import GraphAPI
import JSONPath
import TestSupport
import Testing

/// A server that repeats every secret of a run, wherever an answer can hold text.
struct RepeatedSecretTests {
  private static let token = "plain.words-of-the-profile"
  private static let pageTokens = ["first_page_of_nobody", "second-page-of-nobody"]
  private static let listToken = "token+of/a-list=="
  private static let rowToken = "0123456789012345"
  /// A secret input that is never sent, because it holds spaces; an answer may still contain it.
  private static let pin = "correct horse battery 42"
  private static let inputToken = "token-of-an-input-99"
  private static let clientToken = "c1ient-t0ken-of-the-app"
  private static let appSecret = "b83d5e90c6f1427a08d94ef3a15b7c62"

  private let graphflow: CommandFixture
  private let server: LeakyPort
  private let secrets: [String]
  private let scan: SecretScan

  init() throws {
    graphflow = try CommandFixture()
    let app = try #require(AppSecret(Self.appSecret))
    let tokens =
      [Self.token, Self.listToken, Self.rowToken, Self.inputToken] + Self.pageTokens
    let proofs = tokens.compactMap(AccessToken.init).map(app.proof)
    secrets =
      tokens + proofs + [Self.pin, Self.clientToken, Self.appSecret, "4711|\(Self.appSecret)"]
    server = try LeakyPort(
      repeating: [Self.token, Self.appSecret, Self.clientToken, "4711|\(Self.appSecret)"],
      onceReceived: tokens.filter { !Self.pageTokens.contains($0) } + proofs + [Self.pin],
      issuing: Self.pageTokens)
    scan = SecretScan(for: secrets)
  }

  private var environment: [String: String] {
    [
      "GRAPHFLOW_GRAPH_URL": server.url, "GRAPHFLOW_ACCESS_TOKEN": Self.token,
      "GRAPHFLOW_APP_SECRET": Self.appSecret, "GRAPHFLOW_CLIENT_TOKEN": Self.clientToken,
      "GRAPHFLOW_APP_ID": "4711",
    ]
  }

  /// A workflow whose answers are checked, printed, stored and sent on in every possible way.
  ///
  /// All other requests wait for `pages`, because its answer issues tokens.
  private func write(ending last: String = "") throws -> [String] {
    try graphflow.folder.write("id,tok\n1,\(Self.rowToken)\n", to: "rows.csv")
    try graphflow.folder.write("\(Self.inputToken)\n", to: "input")
    let people = JSON.array([["id": "5", "tok": .string(Self.listToken)]]).serialized()
    let file = try graphflow.folder.write(
      "{\"people\": \(people), \"pin\": \"\(Self.pin)\"}", to: "inputs.json")
    let workflow = try graphflow.folder.write(
      """
      graphflow: 1
      inputs: {given: secret, pin: secret, note: string, people: list}
      requests:
        pages: {get: me/accounts, batch: alone}
        page: {get: page, token: "{result=pages:$.data[1].tok}"}
        each_page: {for_each: "{result=pages:$.data[*]}", get: each, token: "{item=$.tok}"}
        given: {get: given, depends_on: [pages], token: "{input=given}", expect: ["$.text == 'no'"], on_error: ignore}
        wrong: {get: wrong/one, retry: false, depends_on: [pages]}
        wrong_post: {post: wrong/two, params: {message: "{input=note}"}, depends_on: [pages]}
        paged: {get: paged, paginate: true, depends_on: [pages]}
        note: {post: me/feed, params: {message: "{input=note}"}, depends_on: [pages]}
        people: {for_each: "{input=people}", depends_on: [pages], key: "{item=$.id}", get: who, token: "{item=$.tok}"}
        rows: {for_each: {file: rows.csv}, depends_on: [pages], key: "{item=$.id}", get: row, token: "{item=$.tok}"}
        copy: {post: copy, params: {message: "{result=note:$.text}"}}
      \(last)
      outputs:
        pages: "{result=pages}"
        text: "<{result=wrong:$.text | none}{result=paged:$.data[*].tok | none}>"

      """, to: "leaky.yaml")
    return [
      workflow, "--inputs", file, "--input", "given=@\(graphflow.folder.path)/input", "--input",
      "note=\(Self.token)",
    ]
  }

  /// All output of the command: its streams and its files.
  private func written(_ outcomes: [Outcome]) throws -> [(name: String, bytes: [UInt8])] {
    let own = ["rows.csv", "input", "inputs.json", "leaky.yaml"]
    let files = graphflow.folder.files().filter { !own.contains($0) }
    return try outcomes.enumerated().flatMap { index, outcome in
      [
        ("output \(index)", Array(outcome.output.utf8)),
        ("error \(index)", Array(outcome.error.utf8)),
      ]
    } + files.map { ($0, try contents(of: graphflow.folder.path + "/" + $0)) }
  }

  private func expectNoSecrets(in written: [(name: String, bytes: [UInt8])]) {
    for (name, bytes) in written {
      let hits = scan.hits(in: bytes)
      #expect(hits.isEmpty, "\(name) holds \(hits)")
    }
  }

  @Test func `the scan finds planted secrets in every form`() {
    for secret in secrets {
      for form in SecretScan.forms(of: secret) {
        #expect(!scan.hits(in: Array("x\(form.text)y".utf8)).isEmpty, "\(form.name) of \(secret)")
      }
    }
  }

  @Test func `no secret that an answer repeats is written anywhere`() throws {
    let arguments = try write()
    let folder = graphflow.folder.path
    var outcomes: [Outcome] = []
    for command in [
      ["get", "me/feed", "--record", "\(folder)/get.har"], ["get", "wrong/one"],
      ["post", "wrong/one", "message=x"], ["whoami"],
      ["run"] + arguments
        + [
          "-vv", "--record", "\(folder)/run.har", "--report", "\(folder)/r.json", "--report",
          "\(folder)/r.jsonl",
        ],
      ["resume", "latest", "-vv", "--report", "-"] + arguments.dropFirst(),
      ["report", "latest"], ["runs"], ["runs", "show", "latest"],
    ] {
      server.forget()
      outcomes.append(try graphflow.run(Array(command), environment: environment))
    }

    let written = try written(outcomes)
    #expect(outcomes[0].code == 0 && outcomes[4].code == 1, "\(outcomes[4].error)")
    #expect(written.contains { $0.name.hasSuffix("journal.sqlite") })
    #expect(written.contains { $0.name == "r.jsonl" } && written.contains { $0.name == "run.har" })
    expectNoSecrets(in: written)
    // Text from people is sent unchanged; a secret that an answer repeats is not sent on.
    let asked = server.requests.map(PercentEncoding.decoded)
    #expect(asked.contains { $0.contains("message=\(Self.token)") })
    #expect(!asked.contains { $0.contains("/copy") || $0.contains("\"copy\"") })
    let report = try JSON(parsing: try contents(of: folder + "/r.json"))
    #expect(
      try report.one("$.requests[?@.name == 'copy'].error.message").string?
        .contains("may only be used as a token") == true)
  }

  @Test func `a killed run leaves no secret behind`() throws {
    let arguments = try write(ending: "  held: {get: held/one, batch: alone, depends_on: [note]}")
    let run = try graphflow.start(
      ["run"] + arguments
        + [
          "-vv", "--record", graphflow.folder.path + "/run.har", "--report",
          graphflow.folder.path + "/r.jsonl",
        ], environment: environment)
    // Its output fills a pipe, so it is read meanwhile.
    try run.read { _ in server.isHeld }
    run.signal(9)
    _ = try run.wait()

    let written = try written([])
    #expect(written.contains { $0.name.hasSuffix("journal.sqlite-wal") && $0.bytes.count > 4096 })
    expectNoSecrets(in: written)
    expectNoSecrets(in: [("output", run.standardOutput), ("error", run.standardError)])
  }
}
