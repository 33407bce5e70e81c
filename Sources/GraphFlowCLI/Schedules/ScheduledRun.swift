import GraphFlow
import JSONPath

/// What a scheduler runs: a file at the times of its schedule, with inputs.
struct ScheduledRun {
  /// The absolute paths of the command and of the workflow.
  let program: String
  let path: String
  let schedule: Workflow.Schedule
  /// The values of inputs, each `NAME=VALUE` as `run --input` takes it: the schedule's, then those that
  /// were given for this entry.
  let inputs: [String]
  /// Only those that were given: they tell several entries of a file apart.
  let given: [String]

  /// Checks that the run has a value for each input.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/invalid``: the file has no schedule, an input has
  ///   no value, a value does not fit, or a secret would be written down.
  init(of workflow: Workflow, with assignments: [InputAssignment], program: String) throws {
    let schedule = try workflow.requiredSchedule()
    self.schedule = schedule
    self.program = program
    path = StateDirectory.canonical(workflow.source.path)
    given = try assignments.kept
    try Self.check(workflow, schedule, assignments)
    let names = Set(assignments.map(\.name))
    let scheduled = workflow.inputs.compactMap { input -> String? in
      guard !names.contains(input.name.text) else { return nil }
      return schedule.inputs[input.name].map { "\(input.name)=\($0.assignedText)" }
    }
    inputs = scheduled + given
    let isPlain = { (text: String) in
      !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
    guard ([path, program] + inputs).allSatisfy(isPlain) else {
      throw CommandFailure(
        .invalid, "a scheduler cannot hold a path or an input with control characters",
        hint: "--input NAME=@FILE takes any text from a file")
    }
  }

  private static func check(
    _ workflow: Workflow, _ schedule: Workflow.Schedule, _ assignments: [InputAssignment]
  ) throws {
    let names = Set(assignments.map(\.name))
    for input in workflow.inputs {
      let name = input.name.text
      let isWritten =
        !names.contains(name) && schedule.inputs[input.name] != nil
        || assignments.contains { $0.name == name && $0.isOnCommandLine }
      if input.isSecret, isWritten {
        throw CommandFailure(
          .invalid, "the secret input '\(name)' would be written down in the scheduler",
          hint: "--input \(name)=@FILE takes it from a file at each run")
      }
      guard input.isRequired, !names.contains(name), schedule.inputs[input.name] == nil else {
        continue
      }
      throw CommandFailure(
        .invalid, "'\(workflow.source.path)' cannot be scheduled: its input '\(name)' has no value",
        hint: input.isSecret
          ? "--input \(name)=@FILE takes it from a file at each run"
          : "give it one: inputs: {\(name): …} in the schedule, --input \(name)=…, or a default")
    }
    let flags = schedule.inputs.map { ($0.key.text, $0.value.text) }
    let (_, problems) = InputValues.resolving(
      workflow, flags: flags + (try assignments.map { ($0.name, try $0.inputValue()) }), file: nil,
      environment: [:])
    if let problem = problems.first { throw CommandFailure(.invalid, problem) }
  }

  /// The words of the command, with these flags at their end.
  func words(_ flags: [String] = []) -> [String] {
    [program, "run", path] + inputs.flatMap { ["--input", $0] }
      + ["--quiet", "--on-overlap", "wait"] + flags
  }

  /// The text that tells entries of a file with different given inputs apart; empty without any.
  var suffix: String { Self.suffix(of: path, given) }

  static func suffix(of path: String, _ given: [String]) -> String {
    guard !given.isEmpty else { return "" }
    return "-" + StateDirectory.name(ofKey: given.joined(separator: "\n"), of: path).prefix(8)
  }

  /// The comment that identifies the entry.
  var mark: String { Self.mark(of: path, given) }

  /// The comment above an entry for a file and given inputs.
  static func mark(of path: String, _ given: [String]) -> String {
    (["# graphflow schedule", path] + given.map { "--input " + $0.shellWord }).joined(
      separator: " ")
  }
}

extension [InputAssignment] {
  /// The assignments as a scheduler keeps them: each input once, with its last value, in the order of
  /// the names, so that the same inputs are the same entry.
  var kept: [String] {
    get throws {
      var last: [String: String] = [:]
      for assignment in self { last[assignment.name] = try assignment.kept }
      return last.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}

extension InputAssignment {
  /// The assignment as a scheduler keeps it: a file's path is absolute.
  ///
  /// - Throws: a ``CommandFailure`` for standard input, which a scheduler does not have.
  fileprivate var kept: String {
    get throws {
      if isOnCommandLine { return "\(name)=\(value)" }
      guard !isStandardInput else {
        throw CommandFailure(
          .usage, "--input \(name)=@-: a scheduled run has no standard input",
          hint: "--input \(name)=@FILE takes the value from a file at each run")
      }
      return "\(name)=@" + StateDirectory.canonical(String(value.dropFirst()))
    }
  }
}

extension JSON {
  /// The value as `--input NAME=` takes it, where `@` means a file.
  fileprivate var assignedText: String { text.hasPrefix("@") ? "@" + text : text }

  fileprivate var text: String { string ?? serialized() }
}

extension String {
  /// The text as one word of a shell, in quotes if it needs them.
  var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || "/._-+,:@=".unicodeScalars.contains(scalar)
    }
    return isPlain && !isEmpty ? self : shellQuoted
  }
}
