import GraphFlow
import JSONPath

/// A workflow as a DAG of Airflow: the Python text that `graphflow export airflow` writes.
///
/// Lists are written as ruff formats them.
struct AirflowDAG {
  let id: String
  private let workflow: Workflow
  private let path: String
  private let shards: Int
  private let connection: String
  private let pool: String?
  private let parts: JobParts

  init(
    _ workflow: Workflow, at path: String, shards: Int, connection: String, pool: String?
  ) throws {
    let source = workflow.source.path
    parts = JobParts(of: workflow)
    if shards > 1 {
      let obstacle =
        workflow.groups.isEmpty ? "it has no `for_each`, so there are no items" : parts.obstacle
      if let obstacle {
        throw CommandFailure(
          .invalid, "'\(source)' cannot be divided into shards: \(obstacle)",
          hint: "without --shards it is one task")
      }
    }
    if let schedule = workflow.schedule,
      let input = workflow.inputs.first(where: {
        $0.isRequired && !$0.isSecret && schedule.inputs[$0.name] == nil
      })
    {
      throw CommandFailure(
        .invalid, "'\(source)' has a schedule, but nobody gives the input '\(input.name)' a value",
        hint: "give it a `default`, or a value in `schedule: {inputs: …}`")
    }
    // Airflow allows these characters, and 250 of them.
    id = String(
      workflow.name.map { character in
        character.isASCII && (character.isLetter || character.isNumber) || "-._".contains(character)
          ? character : "_"
      }.prefix(250))
    (self.workflow, self.path, self.shards) = (workflow, path, shards)
    (self.connection, self.pool) = (connection, pool)
  }

  /// A module with some DAGs.
  static func module(of graphs: [AirflowDAG]) -> String {
    let params = graphs.contains { !$0.params.isEmpty } ? ", Param" : ""
    let names = graphs.map(\.id).joined(separator: ", ")
    return """
      \(comment("Runs workflows of GraphFlow: \(names)."))
      # Written by: graphflow export airflow

      import pendulum
      from airflow.sdk import DAG\(params)
      from graphflow_cli.airflow.operators import GraphflowOperator, GraphflowReportOperator


      """ + graphs.map(\.text).joined(separator: "\n\n")
  }

  private var text: String {
    let zone = workflow.schedule?.timeZone ?? "UTC"
    let schedule = workflow.schedule.map { Self.literal($0.cron.text) } ?? "None"
    return """
      with DAG(
          dag_id=\(Self.literal(id)),
          schedule=\(schedule),
          start_date=pendulum.datetime(2026, 1, 1, tz=\(Self.literal(zone))),
          catchup=False,
          max_active_runs=1,
          default_args={
              "graphflow_conn_id": \(Self.literal(connection)),\(pool.map {
                "\n        \"pool\": \(Self.literal($0)),"
              } ?? "")
              "retries": 3,
              "retry_delay": pendulum.duration(minutes=5),
          },\(paramsArgument)
          tags=["graphflow"],
      ):
      \(secretsComment)\(tasks.joined(separator: "\n"))

      """
  }

  /// The tasks, and the order in which they run.
  private var tasks: [String] {
    guard shards > 1 else {
      return [task("run", nil), report(of: ["run"]), "    run >> report"]
    }
    var lines = parts.hasPrologue ? [task("prologue", "prologue/\(shards)")] : []
    lines.append(
      """
          shards = GraphflowOperator.partial(
              task_id="shards",
      \(fileArguments)
          ).expand(shard=[f"{number}/\(shards)" for number in range(1, \(shards + 1))])
      """)
    if parts.hasEpilogue { lines.append(task("epilogue", "epilogue/\(shards)")) }
    let names =
      (parts.hasPrologue ? ["prologue"] : []) + ["shards"] + (parts.hasEpilogue ? ["epilogue"] : [])
    return lines + [report(of: names), "    " + (names + ["report"]).joined(separator: " >> ")]
  }

  private func task(_ name: String, _ shard: String?) -> String {
    """
        \(name) = GraphflowOperator(
            task_id="\(name)",
    \(shard.map { "        shard=\"\($0)\",\n" } ?? "")\(fileArguments)
        )
    """
  }

  private var fileArguments: String {
    "        file=\(Self.literal(path)),"
      + (params.isEmpty ? "" : "\n        params_as_inputs=True,")
  }

  /// The last task, a teardown: it runs however the others end, and a DAG run fails if they do.
  private func report(of names: [String]) -> String {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return """
          report = GraphflowReportOperator(
              task_id="report",
              runs=[\(list)],
          ).as_teardown()
      """
  }

  // MARK: - Inputs

  /// The inputs that Airflow may know.
  private var params: [Input] { workflow.inputs.filter { !$0.isSecret } }

  private var paramsArgument: String {
    guard !params.isEmpty else { return "" }
    let lines = params.map { input in
      let type =
        switch input.type {
        case .string, .file, .secret, .timezone: "string"
        case .list: "array"
        case .integer, .number, .boolean: input.type.rawValue
        }
      let given = workflow.schedule?.inputs[input.name] ?? input.defaultValue
      let value = given.map { Self.literal($0) + ", " } ?? ""
      return "        \(Self.literal(input.name.text)): Param(\(value)type=\"\(type)\"),\n"
    }
    return "\n    params={\n\(lines.joined())    },"
  }

  private var secretsComment: String {
    let names = workflow.inputs.filter(\.isSecret).map { "'\($0.name)'" }
    guard !names.isEmpty else { return "" }
    return Self.comment("The connection has the values of \(names.joined(separator: ", ")).", 4)
      + "\n"
  }

  // MARK: - Python

  private static func comment(_ text: String, _ indent: Int = 0) -> String {
    String(repeating: " ", count: indent) + "# "
      + String(text.map { $0.isNewline ? " " : $0 })
  }

  /// A string of Python: what JSON escapes, Python escapes likewise.
  private static func literal(_ text: String) -> String { JSON.string(text).description }

  private static func literal(_ value: JSON) -> String {
    switch value {
    case .null: "None"
    case .bool(let isTrue): isTrue ? "True" : "False"
    case .array(let items): "[" + items.map(literal).joined(separator: ", ") + "]"
    default: value.description
    }
  }
}
