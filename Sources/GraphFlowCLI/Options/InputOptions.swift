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
      discussion: "Strings are taken as they are, values of other types as JSON.",
      valueName: "name=value"
    )
  )
  var values: [InputAssignment] = []

  @Option(
    name: .customLong("inputs"),
    help: ArgumentHelp(
      "Take inputs from a YAML or JSON file; --input wins over it.",
      valueName: "file"
    )
  )
  var file: String?

  /// Whether the command line says anything about inputs.
  var isGiven: Bool { !values.isEmpty || file != nil }

  /// The workflow's inputs: from flags, the file, the environment and the defaults, in this order.
  ///
  /// - Parameters:
  ///   - workflow: whose inputs they are.
  ///   - recorded: what a run had when it was started.
  ///   - ignoringFlags: whether what was recorded wins over flags, which were meant for a new run.
  ///   - belongsElsewhere: whether an input that the workflow does not declare is meant for another.
  /// - Returns: the values.
  /// - Throws: a ``CommandFailure`` that names everything that is missing, unknown or ill-typed.
  func resolved(
    for workflow: Workflow,
    recorded: [InputAssignment] = [],
    ignoringFlags: Bool = false,
    belongsElsewhere: (String) -> Bool = { _ in false }
  ) throws -> InputValues {
    let known = Set(recorded.map(\.name))
    let values = ignoringFlags ? values.filter { !known.contains($0.name) } : values
    let source = try file.map { SourceFile(path: $0, bytes: try FileReading.bytes(of: $0)) }
    let (resolved, problems) = InputValues.resolving(
      workflow,
      flags: (recorded + values).map { (name: $0.name, value: $0.value) },
      file: source,
      // One that is empty counts as not set.
      environment: Environment.variables().filter { !$0.value.isEmpty },
      belongsElsewhere: belongsElsewhere
    )
    guard let resolved, problems.isEmpty else {
      for problem in problems { Terminal.sayFailure(CommandFailure(.invalid, problem)) }
      throw CommandFailure.silent(.invalid)
    }
    // A short one stands in too many texts by chance.
    for input in workflow.inputs where input.type == .secret {
      guard let text = resolved[input.name]?.string, text.utf8.count >= 8,
        let secret = AccessToken(text)
      else { continue }
      SecretNet.learn(secret)
    }
    return resolved
  }
}

/// `name=value` on the command line.
struct InputAssignment: ExpressibleByArgument, Sendable {
  /// What stands before the first `=`.
  let name: String
  /// Everything after it.
  let value: String

  init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
      return nil
    }
    self.name = String(argument[..<equals])
    self.value = String(argument[argument.index(after: equals)...])
  }
}
