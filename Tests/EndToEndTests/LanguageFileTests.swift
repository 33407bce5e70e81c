import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Workflow files, from the bytes on disk to the answer on standard output.
struct LanguageFileTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func write(_ text: String, to name: String = "flow.yaml") throws -> String {
    try graphflow.folder.write("graphflow: 1\n" + text, to: name)
  }

  @Test func `an input comes from flag, file, environment or default, in this order`() throws {
    let file = try write(
      """
      inputs:
        a: {type: string, default: default}
        b: {type: string, default: default}
        c-d: {type: string, default: default}
        e: {type: integer, default: 7}
      requests: {me: {get: me, params: {x: "{input=e}"}}}
      outputs: {a: "{input=a}", b: "{input=b}", c: "{input=c-d}", e: "{input=e}"}

      """)
    let environment = [
      "GRAPHFLOW_INPUT_A": "environment", "GRAPHFLOW_INPUT_B": "environment",
      "GRAPHFLOW_INPUT_C_D": "environment",
    ]
    for (name, text) in [
      ("in.yaml", "a: file\nb: file\n"), ("in.json", #"{"a": "file", "b": "file"}"#),
    ] {
      let given = try graphflow.folder.write(text, to: name)
      let outcome = try graphflow(
        "run", file, "--sandbox", "--input", "a=flag", "--inputs", given, environment: environment)

      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(outcome.output == #"{"a":"flag","b":"file","c":"environment","e":7}"# + "\n")
    }
  }

  @Test(arguments: [
    ("rows.csv", "id,n\nme,01\nme,\"a, \"\"b\"\"\"\n", ["01", "a, \"b\""]),
    (
      "rows.json", #"[{"id": "me", "n": 1.50}, {"id": "me", "n": {"k": null}}]"#,
      ["1.50", #"{"k":null}"#]
    ),
    (
      "rows.jsonl", "{\"id\": \"me\", \"n\": [1]}\n\n{\"id\": \"me\", \"n\": true}\n",
      ["[1]", "true"]
    ),
  ])
  func `the extension of a file decides the format of its items`(
    _ name: String, _ text: String, _ keys: [String]
  ) throws {
    try graphflow.folder.write(text, to: name)
    let file = try write(
      """
      requests:
        each: {for_each: {file: \(name)}, key: "{item=$.n}", get: "{item=$.id}"}
      outputs: {ids: "{result=each:$[*].id}"}

      """)

    let (outcome, report) = try graphflow.report("run", file, "--sandbox")

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.all("$.requests[*].item.key").map { $0.string ?? "" } == keys)
    #expect(try JSON(parsing: outcome.output).all("$.ids[*]").count == 2)
  }

  @Test func `outputs are printed and reported, and the report keeps the file's order`() throws {
    let file = try write(
      """
      description: Two reads.
      requests:
        z: {get: "{result=m:$.id}", params: {fields: id}}
        m: {get: me}
        a: {get: me, depends_on: [z]}
      outputs:
        text: "<{result=m:$.id}>"
        same: "{result=z:$}"
        none: "{result=a:$.none}"
        fixed: [1, two]

      """, to: "two-reads.flow.yaml")

    let (outcome, report) = try graphflow.report("run", file, "--sandbox")

    let printed = try JSON(parsing: outcome.output)
    #expect(try report.one("$.outputs") == printed)
    #expect(printed.object?.names == ["text", "same", "none", "fixed"])
    #expect(printed["fixed"] == [1, "two"] && printed["none"] == .null)
    let id = try report.one("$.requests[?@.name == 'm'].body.id").string ?? ""
    #expect(printed["text"] == .string("<\(id)>"))
    #expect(try report.one("$.run.workflow") == "two-reads.flow")
    #expect(try report.all("$.requests[*].name") == ["z", "m", "a"])
  }

  @Test func `a resumed run is the same run, and needs its secrets again`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let file = try write(
      """
      inputs: {key: secret, note: {type: string, default: none}}
      requests:
        failing: {get: me, expect: ["$.id == 'nobody'"], retry: false}
        reading: {get: me, token: "{input=key}"}
      outputs: {id: "{run=id}", at: "{run=started_at}", note: "{input=note}"}

      """)
    let flags = ["--input", "key=\(sandbox.token)"]
    func run(_ arguments: [String]) throws -> Outcome {
      try graphflow.run(arguments, environment: sandbox.environment)
    }

    let first = try run(["run", file, "--input", "note=first"] + flags)
    let without = try run(["resume", "latest"])
    let resumed = try run(["resume", "latest"] + flags)

    #expect(first.code == 1 && resumed.code == 1)
    #expect(without.code == 65 && without.error.contains("input 'key' is missing"))
    #expect(first.output == resumed.output)
    let outputs = try JSON(parsing: resumed.output)
    #expect(outputs["note"] == "first")
    #expect(outputs["id"]?.string.map { try? graphflow.onlyRun().hasSuffix("/\($0)") } == true)
    for path in graphflow.folder.files() where path.hasPrefix("state/") {
      let bytes = try contents(of: graphflow.folder.path + "/" + path)
      #expect(bytes.firstRange(of: Array(sandbox.token.utf8)) == nil, "the secret is in \(path)")
    }
  }

  @Test func `a byte order mark and other line endings change nothing`() throws {
    let text =
      "graphflow: 1\nname: flow\nrequests:\n  me:\n    get: me\noutputs: {x: yes, n: 0x1F, o: NO}\n"
    for variant in [text, "\u{feff}" + text, text.replacing("\n", with: "\r\n")] {
      let file = try graphflow.folder.write(variant, to: "flow.yaml")

      let outcome = try graphflow("run", file, "--sandbox")

      #expect(outcome.output == #"{"x":"yes","n":31,"o":"NO"}"# + "\n", "\(outcome.error)")
    }
  }
}
