import CommandHarness
import GraphFlow
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

/// `graphflow test`: the cases of test files.
struct TestFileTests {
  private let graphflow: CommandFixture
  private static let page = (try? text(of: CommandFixture.root + "/docs/reference/tests.md")) ?? ""

  init() throws {
    graphflow = try CommandFixture()
    let workflow = try text(of: CommandFixture.root + "/workflows/post-and-verify.yaml")
    _ = try graphflow.folder.write(workflow, to: "post-and-verify.yaml")
  }

  /// Runs a test file of the fixture's folder; paths in the output are relative to it.
  private func outcome(
    _ text: String, named name: String = "post-and-verify.test.yaml", _ options: String...
  ) throws -> Outcome {
    _ = try graphflow.folder.write(text, to: name)
    return try graphflow.run(["test", name] + options, in: graphflow.folder.path)
  }

  // MARK: Examples

  @Test func `the test files of the workflows pass, always with the same output`() throws {
    try graphflow.folder.makeFolder("temporary")
    let place = graphflow.folder.path + "/temporary"
    let outputs = try ["1", "3"].map { jobs in
      let outcome = try graphflow(
        "test", "workflows", "--jobs", jobs,
        environment: ["TMPDIR": place, "GITHUB_STEP_SUMMARY": place + "/summary.md"])
      #expect(outcome.code == 0, "\(outcome.output)")
      #expect(outcome.error == "11 cases passed\n")
      return outcome.output
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].split(separator: "\n").allSatisfy { $0.hasPrefix("ok      workflows/") })
    // Neither the temporary folder nor the state directory keeps anything.
    #expect(graphflow.folder.files(withFolders: true).filter { $0.contains("/") } == [])
    #expect(!graphflow.folder.files(withFolders: true).contains("state"))
  }

  @Test func `the example of the page is a test file, and fails as the page shows`() throws {
    let blocks = Self.page.matches(of: /```([a-z]*)\n([^`]*)```\n/).map(\.output)
    let example = try String(#require(blocks.first { $0.1 == "yaml" }).2)
    let file = try text(of: CommandFixture.root + "/workflows/post-and-verify.test.yaml")
    #expect(file.split(separator: "\n").dropFirst().map { $0 + "\n" }.joined() == example)
    let objects = try String(#require(blocks.last { $0.1 == "yaml" }).2)
    let whole = try outcome(
      "graphflow-test: 1\ncases:\n  objects:\n    inputs: {message: Hi}\n" + objects)
    #expect(whole.code == 0, "\(whole.output)")

    let failed = try outcome(example.replacing("calls: 1", with: "calls: 2"))
    let shown = try String(#require(blocks.first { $0.2.hasPrefix("FAILED") }).2)
    #expect(failed.output.hasPrefix(shown), "\(failed.output)")
    #expect(failed.code == 1 && failed.error == "2 cases, 1 failed\n")
  }

  @Test func `the example of the guide passes`() throws {
    let page = try text(of: CommandFixture.root + "/docs/guide/testing.md")
    let example = try #require(page.firstMatch(of: /```yaml\n([^`]*)```/)).1
    let workflow = try text(of: CommandFixture.root + "/workflows/page-post.yaml")
    _ = try graphflow.folder.write(workflow, to: "page-post.yaml")
    let whole = try outcome(
      String(example).replacing("../../workflows/", with: ""), named: "page-post.test.yaml")
    #expect(whole.code == 0, "\(whole.output)")
  }

  // MARK: Verdicts

  @Test func `every expectation can fail, and says where, what and why`() throws {
    let failed = try outcome(
      """
      graphflow-test: 1
      inputs: {message: Hi}
      cases:
        nothing is as expected:
          exit: 1
          status: failed
          calls: {at_most: 0}
          writes: 2
          requests: {status-post: failed, read-back: {succeeded: 2}}
          outputs: {post_id: abc}
          expect:
            - "$.summary.attempts == 1"
            - {check: "$.run.inputs.message == 'Ho'", message: another message}
          objects:
            feed:
              get: me/feed
              expect: ["count($.data[?@.message == {input=message}]) == 5"]
            gone: {get: "123"}
        refused:
          inputs: {message: ""}
        with an error:
          faults: [{method: POST, operation: {error: 100}}]
          requests: {status-post: succeeded}

      """)
    #expect(failed.code == 1 && failed.error == "3 cases, 3 failed\n")
    // The trace ids follow from the seed of the sandbox, so nothing has to be made stable.
    expectGolden(failed.output, named: "tests/failed.txt")
  }

  @Test func `what a run begins with is the file's, and a case's own replaces it`() throws {
    let outcome = try outcome(
      """
      graphflow-test: 1
      description: everything that a run can begin with
      workflow: post-and-verify.yaml
      inputs: {message: Hi}
      clock: 2026-05-01
      profile: page
      faults: [{method: POST, nth: 1, operation: {error: 100}}]
      world:
        users: {ann: {name: Ann Smith, permissions: {granted: [pages_manage_posts]}}}
        pages: {shop: {name: Shop, roles: {ann: [MANAGE, CREATE_CONTENT]}}}
        tokens:
          default: {user: ann}
          page: {user: ann, page: shop}
      cases:
        of the file:
          exit: 1
          requests: {status-post: failed}
          expect: ["$.run.started_at == '2026-05-01T00:00:00.000Z'", "$.run.profile == 'page'"]
        of the case:
          inputs: {message: Ho}
          clock: 1780000000
          faults: []
          profile: default
          world: world.yaml
          exit: 77
          expect: ["search($.run.started_at, '^2026-05-28')", "$.run.inputs.message == 'Ho'"]

      """)
    #expect(outcome.code == 65 && outcome.error.contains("world.yaml': No such file"))
    _ = try graphflow.folder.write(
      "world: 1\nusers: {a: {name: A}}\ntokens: {default: {user: a}}\n", to: "world.yaml")
    let again = try graphflow.run(
      ["test", "post-and-verify.test.yaml"], in: graphflow.folder.path)
    #expect(again.code == 0, "\(again.output)\(again.error)")
  }

  @Test func `objects are read without the faults of the run`() throws {
    let outcome = try outcome(
      """
      graphflow-test: 1
      cases:
        nothing can be read:
          inputs: {message: Hi}
          faults: [{path: me/feed, operation: {error: 1}}]
          exit: 3
          objects: {feed: {get: me/feed}}

      """)
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  @Test func `an hour of waiting and a delayed answer take no time`() throws {
    let time = ContinuousClock()
    let start = time.now
    _ = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      requests:
        slow: {get: me}
        wait: {get: me/feed, until: {check: "1 == 2", interval: 30s, within: 1h}}

      """, to: "wait.yaml")
    let outcome = try outcome(
      """
      graphflow-test: 1
      cases:
        an hour:
          faults:
            - {call: {delay: 2m}, nth: 1}
            - {call: {drip: {bytes: 1, pause: 1s}}, nth: 3}
            - {call: {throttle: {code: 4, regain: 10m}}, nth: 6}
          exit: 1
          requests: {slow: succeeded, wait: failed}
          expect:
            - "$.run.duration_ms > 3600000"
            # The call with the delayed answer had a minute.
            - "$.requests[0].attempts[1].code == 200"

      """, named: "wait.test.yaml")
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(start.duration(to: time.now) < .seconds(60))
  }

  @Test func `a test file replaces files, and needs none in the folder`() throws {
    _ = try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      requests:
        post: {for_each: {file: texts.csv}, post: me/feed, params: {message: "{item=$.text}"}}

      """, to: "rows.yaml")
    let outcome = try outcome(
      """
      graphflow-test: 1
      cases:
        two rows:
          files: {texts.csv: "text\\nA\\nB\\n"}
          writes: 2
          requests: {post: {succeeded: 2}}
        no file: {exit: 66}

      """, named: "rows.test.yaml")
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  // MARK: Mistakes

  private static let mistakes = """
    graphflow-test: 2
    workflow: post-and-verify.yaml
    world: nowhere.yaml
    case: {}
    cases:
      one:
        inputs: {mesage: Hi}
        exits: 1
        status: suceeded
        faults: [{method: POST, operation: {eror: 2}}]
        calls: {atmost: 0}
        writes: -1
        requests: {status-pots: failed, read-back: {sucess: 1}}
        outputs: {post-id: abc}
        profile: pages
        expect: ["$.summary.attempts = 1", "{input=mesage} == 1"]
        objects:
          feed: {post: me/feed, expect: ["count($.data[*]) = 5"]}
      two:
        objects: [x]
        clock: yesterday
        files: 3
        world: {users: {}}

    """

  @Test func `all mistakes are reported together, each with its place and the nearest name`() throws
  {
    let refused = try outcome(Self.mistakes)
    #expect(refused.code == 65 && refused.output == "")
    expectGolden(graphflow.stable(refused.error), named: "tests/mistakes.txt")
    let validated = try graphflow.run(
      ["validate", "post-and-verify.test.yaml"], in: graphflow.folder.path)
    #expect(validated.code == 65)
    #expect(refused.error == validated.output)
  }

  @Test func `exit codes, filter and quiet`() throws {
    let valid = "graphflow-test: 1\ncases: {a: {inputs: {message: x}}, b: {exit: 0, writes: 9}}\n"
    #expect(try outcome(valid, "--filter", "yaml: a").output.split(separator: "\n").count == 1)
    #expect(try outcome(valid, "--filter", "yaml: a", "--quiet").error == "")
    let none = try outcome(valid, "--filter", "yaml: nothing")
    #expect(none.code == 66 && none.error.contains("no case has 'yaml: nothing'"))
    let failed = try outcome(valid, "--quiet")
    #expect(failed.code == 1 && failed.output.hasPrefix("FAILED") && !failed.output.contains("ok "))
    #expect(try graphflow("test", "docs").code == 66)
    #expect(try graphflow("test", "absent.test.yaml").code == 66)
    #expect(try graphflow("test", "workflows/post-and-verify.yaml").code == 65)
    #expect(try graphflow("test", "--from", "2026-01-01").code == 64)
    #expect(try graphflow("test", "--jobs", "0").code == 64)
    #expect(try graphflow("test", "x", "--week", "y").code == 64)
  }

  @Test func `a file of another kind is never shown`() throws {
    _ = try graphflow.folder.write("password: hunter2\nusers: {}\n", to: "secret.yaml")
    for key in ["world", "faults", "workflow"] {
      let outcome = try outcome("graphflow-test: 1\n\(key): secret.yaml\ncases: {a: {}}\n")
      #expect(outcome.code == 65 && !outcome.error.contains("hunter2"))
      #expect(outcome.error.contains("is not a \(key) file beside this one"), "\(outcome.error)")
    }
  }

  @Test func `JUnit has a suite for each file, and shows what a case expected`() throws {
    let file = graphflow.folder.path + "/tests.xml"
    let failing = "graphflow-test: 1\ncases:\n  <b>: {inputs: {message: x}, writes: 9}\n"
    _ = try graphflow.folder.write(failing, to: "post-and-verify.test.yaml")
    let outcome = try graphflow(
      "test", "workflows/post-and-verify.test.yaml", graphflow.folder.path, "--junit", file)
    #expect(outcome.code == 1)
    let xml = try text(of: file)
    #expect(xml.matches(of: /<testsuite\b/).count == 2)
    #expect(xml.matches(of: /<testcase\b/).count == 3)
    #expect(xml.contains("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""))
    #expect(xml.contains("timestamp=\"2026-02-14T12:00:00.000Z\""))
    #expect(
      xml.contains("name=\"&lt;b&gt;\"") && xml.contains("message=\"expected 9, but it is 1\""))
  }

  // MARK: Schema and reader

  private func schema() throws -> JSONSchema {
    try JSONSchema(JSON(parsing: SchemaCommand.Subject.test.schema))
  }

  private func faults(of value: JSON) throws -> (reader: [String], schema: [String]) {
    let text = value.serialized()
    let path = graphflow.folder.path + "/post-and-verify.test.yaml"
    let diagnostics = TestReader.reading(SourceFile(path: path, bytes: Array(text.utf8)))
      .diagnostics
    return (diagnostics.map(\.message), try schema().faults(in: value))
  }

  @Test func `schema and reader agree on every key with values of all kinds`() throws {
    let values: [JSON] = [
      0, 1, 3, -1, 300, true, .null, "", "failed", "2026-01-01", [], [:], ["at_most": 1],
      ["at_most": -1], ["x": 1], ["failed": 1], ["failed": "x"],
    ]
    let keys: [(path: String, isDeep: Bool)] =
      ["graphflow-test", "description", "cases", "other"].map { ($0, false) }
      + [
        "inputs", "files", "clock", "profile", "exit", "status", "calls", "writes", "requests",
        "expect", "other",
      ].map { ($0, true) }
    for (key, isDeep) in keys {
      for value in values {
        var file: JSON.Object = ["graphflow-test": 1, "cases": ["a": [:]]]
        if isDeep { file["cases"] = ["a": .object([key: value])] } else { file[key] = value }
        let (reader, schema) = try faults(of: .object(file))
        // Only the reader knows names, what a time is, and what an expression is.
        let isName = reader.contains { text in
          ["has no", "not a time"].contains { text.contains($0) }
        }
        if isName || key == "cases" { continue }
        #expect(reader.isEmpty == schema.isEmpty, "\(key): \(value) \(reader) \(schema)")
      }
    }
  }

  @Test func `every test file of the workflows fits the schema`() throws {
    let names = [
      "post-and-verify", "publish-from-csv", "new-leads", "cookbook/daily-post",
    ]
    for name in names {
      let path = CommandFixture.root + "/workflows/\(name).test.yaml"
      let fields = FieldReader(SourceFile(path: path, bytes: Array(try text(of: path).utf8)))
      let value = try #require(fields.root.flatMap { fields.value($0, "the file") })
      #expect(try schema().faults(in: value).isEmpty)
    }
  }
}
