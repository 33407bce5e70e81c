import CommandHarness
import TestSupport
import Testing

/// The Python file of `graphflow export airflow`; scripts/try-airflow gives it to ruff and Airflow.
struct AirflowExportTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func export(_ text: String, _ options: String...) throws -> Outcome {
    try graphflow.folder.write(text, to: "nightly.yaml")
    let file = graphflow.folder.path + "/nightly.yaml"
    return try graphflow.run(
      ["export", "airflow", file, "--folder", "/srv/workflows"] + options, input: [],
      in: CommandFixture.root, environment: [:])
  }

  private static let workflow = """
    graphflow: 1
    name: nightly audit
    schedule: {cron: "30 6 * * mon-fri", timezone: Europe/Berlin}
    inputs:
      fields: {type: string, default: "id,\\"name\\"\\n"}
      count: {type: integer, default: 3}
      tags: {type: list, default: [a, true]}
      page: {type: secret}
    requests:
      first:
        get: me
        token: "{input=page}"
        params: {fields: "{input=fields}", limit: "{input=count}", tags: "{input=tags}"}
      rows:
        for_each: [{key: a}, {key: b}]
        key: "{item=$.key}"
        get: "{result=first:$.id}"
        params: {locale: "{item=$.key}"}
      last: {get: me, depends_on: [rows]}

    """

  @Test func `a workflow with everything has prologue, shards, epilogue and report`() throws {
    let outcome = try export(
      Self.workflow, "--shards", "8", "--pool", "page's", "--connection", "x")

    #expect(outcome.code == 0)
    expectGolden(outcome.output, named: "airflow/shards.py")
  }

  @Test func `with one shard there is a task for the whole file`() throws {
    let outcome = try export("graphflow: 1\nname: single\nrequests:\n  a: {get: me}\n")

    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    expectGolden(outcome.output, named: "airflow/single.py")
  }

  @Test func `the file is written for everybody to read, and replaced`() throws {
    let place = graphflow.folder.path + "/dag.py"
    _ = try export(Self.workflow, "--output", place)
    let outcome = try export(Self.workflow, "--shards", "2", "--output", place)

    #expect(outcome.code == 0)
    #expect(outcome.output == "")
    #expect(try text(of: place).contains("shard=\"prologue/2\""))
  }

  @Test(arguments: [
    ("  a: {get: me}\n", "has no `for_each`"),
    (
      """
        a: {for_each: [x], get: me}
        b: {for_each: [y], depends_on: [c], get: me}
        c: {get: me, depends_on: [a]}

      """, "waits for all items of 'a'"
    ),
  ])
  func `what cannot be divided is refused`(requests: String, reason: String) throws {
    let outcome = try export("graphflow: 1\nrequests:\n" + requests, "--shards", "2")

    #expect(outcome.code == 65)
    #expect(outcome.output == "")
    #expect(outcome.error.contains(reason))
  }

  @Test func `an input that nobody gives a value is refused for a DAG with a schedule`() throws {
    let text = """
      graphflow: 1
      schedule: {cron: "0 9 * * *"}
      inputs: {id: {type: string}}
      requests: {a: {get: "{input=id}"}}

      """

    let outcome = try export(text)

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("nobody gives the input 'id' a value"))
    let unscheduled = try export(text.replacing(/schedule.*\n/, with: ""))
    #expect(unscheduled.output.contains("\"id\": Param(type=\"string\")"))
  }

  @Test func `two workflows of one name are refused`() throws {
    try graphflow.folder.write("graphflow: 1\nname: n\nrequests: {a: {get: me}}\n", to: "a.yaml")
    let path = graphflow.folder.path + "/a.yaml"

    let outcome = try graphflow("export", "airflow", path, path)

    #expect(outcome.code == 65)
    #expect(outcome.error.contains("two of the workflows have the name 'n'"))
  }
}
