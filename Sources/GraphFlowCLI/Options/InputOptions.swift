import ArgumentParser
import GraphAPI
import GraphFlow
import JSONPath

/// The flags that give a workflow's inputs their values.
struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Give an input its value; may be repeated.",
      discussion: """
        Strings are taken as they are, values of other types as JSON. @FILE takes what a file holds, \
        @- standard input, and @@ begins a value with @.
        """,
      valueName: "name=value"
    )
  )
  var values: [InputFlag] = []

  @Option(
    name: .customLong("inputs"),
    help: ArgumentHelp(
      "Take inputs from a YAML or JSON file; --input wins over it.",
      valueName: "file"
    )
  )
  var file: String?

  func validate() throws {
    guard values.count(where: { $0.source == .standardInput }) < 2 else {
      throw ValidationError("standard input can give one input its value: @- stands twice")
    }
  }

  /// Whether the command line says anything about inputs.
  var isGiven: Bool { !values.isEmpty || file != nil }

  /// The workflow's inputs: from flags, the file, the environment and the defaults, in this order.
  ///
  /// - Parameters:
  ///   - workflow: whose inputs they are.
  ///   - recorded: what a run had when it was started.
  ///   - ignoringFlags: whether what was recorded wins over flags, which were meant for a new run.
  ///   - quietly: whether warnings are left out.
  ///   - belongsElsewhere: whether an input that the workflow does not declare is meant for another.
  /// - Returns: the values.
  /// - Throws: a ``CommandFailure`` that names everything that is missing, unknown or ill-typed.
  func resolved(
    for workflow: Workflow,
    recorded: [InputAssignment] = [],
    ignoringFlags: Bool = false,
    quietly: Bool = false,
    belongsElsewhere: (String) -> Bool = { _ in false }
  ) throws -> InputValues {
    let known = Set(recorded.map(\.name))
    let values = ignoringFlags ? values.filter { !known.contains($0.name) } : values
    let source = try file.map { SourceFile(path: $0, bytes: try FileReading.bytes(of: $0)) }
    let (resolved, problems) = InputValues.resolving(
      workflow,
      flags: recorded.map { ($0.name, $0.value) } + (try values.map { ($0.name, try $0.value()) }),
      file: source,
      // One that is empty counts as not set.
      environment: Environment.variables().filter { !$0.value.isEmpty },
      belongsElsewhere: belongsElsewhere
    )
    guard let resolved, problems.isEmpty else {
      for problem in problems { Terminal.printFailure(CommandFailure(.invalid, problem)) }
      throw CommandFailure.silent(.invalid)
    }
    // A short one stands in too many texts by chance.
    ProcessRedactor.record(
      workflow.inputs.filter(\.isSecret).compactMap { resolved[$0.name]?.string }
        .filter { $0.utf8.count >= 8 }
    )
    if !quietly { warn(of: workflow.inputs.filter(\.isSecret)) }
    return resolved
  }

  /// Warns of secrets that stand on the command line, where every process of the machine sees them.
  private func warn(of secrets: [Input]) {
    for input in secrets {
      let name = input.name.text
      guard values.contains(where: { $0.name == name && $0.isWrittenOut }) else { continue }
      Terminal.notify(
        "warning: the secret input '\(name)' is on the command line, which other users can see"
          + "\n  give it by --input \(name)=@FILE, --input \(name)=@-, --inputs FILE or "
          + input.name.environmentVariable
      )
    }
  }
}
