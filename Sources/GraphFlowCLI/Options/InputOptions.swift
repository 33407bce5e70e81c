import ArgumentParser
import GraphAPI
import GraphFlow
import JSONPath

/// The options that give a workflow's inputs their values.
struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: .value(
      "name=value", "Give an input its value; may be repeated.",
      discussion: """
        Strings are used as they are, other types are written as JSON. @FILE takes the content of a \
        file, @- that of standard input, and @@ begins a value with @.
        """))
  var values: [InputAssignment] = []

  @Option(
    name: .customLong("inputs"),
    help: .value("file", "Take inputs from a YAML or JSON file; --input overrides it."),
    completion: .yaml)
  var file: String?

  func validate() throws {
    try require(
      values.count(where: \.isStandardInput) < 2,
      "standard input can be the value of one input only, but @- is given twice")
  }

  var isGiven: Bool { !values.isEmpty || file != nil }

  /// The workflow's inputs: from flags, the file, the environment and the defaults, in this order.
  ///
  /// Values that a journal has recorded override the file and the environment, and with
  /// `ignoringFlags` also the flags, which were meant for a new run. An undeclared input may belong
  /// to another workflow of the command.
  func resolved(
    for workflow: Workflow, recorded: [InputAssignment] = [], ignoringFlags: Bool = false,
    quietly: Bool = false, belongsElsewhere: (String) -> Bool = { _ in false }
  ) throws -> InputValues {
    let known = Set(recorded.map(\.name))
    let values = ignoringFlags ? values.filter { !known.contains($0.name) } : values
    let source = try file.map { SourceFile(path: $0, bytes: try FileReading.bytes(of: $0)) }
    let (resolved, problems) = InputValues.resolving(
      workflow,
      flags: recorded.map { ($0.name, $0.value) }
        + (try values.map { ($0.name, try $0.inputValue()) }),
      file: source,
      // An empty variable counts as not set.
      environment: Environment.variables().filter { !$0.value.isEmpty },
      belongsElsewhere: belongsElsewhere)
    guard let resolved, problems.isEmpty else {
      for problem in problems { Terminal.printFailure(CommandFailure(.invalid, problem)) }
      throw CommandFailure.silent(.invalid)
    }
    // Masking a short secret would hide parts of unrelated text.
    ProcessRedactor.record(
      workflow.inputs.filter(\.isSecret).compactMap { resolved[$0.name]?.string }
        .filter { $0.utf8.count >= 8 })
    // Every process of the machine can read the command line.
    for input in workflow.inputs where input.isSecret && !quietly {
      let name = input.name.text
      guard self.values.contains(where: { $0.name == name && $0.isOnCommandLine }) else { continue }
      Terminal.warn(
        "the secret input '\(name)' is on the command line, which other users can see"
          + "\n  give it with --input \(name)=@FILE, --input \(name)=@-, --inputs FILE or "
          + input.name.environmentVariable)
    }
    return resolved
  }
}

/// `name=value` on the command line, or from a journal.
///
/// The value of an input may also be `@FILE` or `@-`, and `@@` begins a value with `@`.
struct InputAssignment: Sendable {
  let name: String
  let value: String
}

extension InputAssignment: ExpressibleByArgument {
  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
      return nil
    }
    let value = String(argument[argument.index(after: equals)...])
    self.init(name: String(argument[..<equals]), value: value)
  }
}

extension InputAssignment {
  private static let limit = 16 << 20

  /// The content of standard input, which can be read once only, for all workflows of the command.
  private static let standardInput = Result { try FileReading.bytes(of: "-", limit: limit) }

  var isStandardInput: Bool { value == "@-" }
  var isOnCommandLine: Bool { !value.hasPrefix("@") || value.hasPrefix("@@") }

  /// The value of the input; that of a file or a stream is without the line break at its end.
  func inputValue() throws -> String {
    if isOnCommandLine { return value.hasPrefix("@@") ? String(value.dropFirst()) : value }
    if isStandardInput { return try text(of: Self.standardInput.get(), from: "standard input") }
    let path = String(value.dropFirst())
    guard !path.isEmpty else { throw failure("a file name is missing after @") }
    do {
      return try text(of: FileReading.bytes(of: path, limit: Self.limit), from: "'\(path)'")
    } catch let problem as CommandFailure where problem.status == .unreadable {
      throw failure(problem.message)
    }
  }

  /// The file of `name=@FILE`, to send it as a part of a form; nil for a value.
  func file() throws -> AttachedFile? {
    guard !isOnCommandLine else { return nil }
    let path = String(value.dropFirst())
    let hint = "@ sends a file; write @@ for a value that begins with @"
    guard !path.isEmpty else {
      throw CommandFailure(.usage, "\(name): a file name is missing after @", hint: hint)
    }
    do {
      let contents = try FileReading.bytes(of: path)
      guard let file = AttachedFile(part: name, path: path, contents: contents) else {
        throw CommandFailure(
          .usage, "'\(name)' cannot be the name of a file's part",
          hint: "it may have letters, digits and underscores")
      }
      return file
    } catch let problem as CommandFailure where problem.status == .unreadable {
      throw CommandFailure(.unreadable, "\(name): \(problem.message)", hint: hint)
    }
  }

  private func text(of bytes: [UInt8], from place: String) throws -> String {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw failure("\(place) is not UTF-8")
    }
    if text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty else { throw failure("\(place) is empty") }
    return text
  }

  private func failure(_ problem: String) -> CommandFailure {
    CommandFailure(
      .unreadable, "--input \(name): \(problem)",
      hint: "@ takes the value from a file; write @@ for a value that begins with @")
  }
}

/// The option for a part of a workflow file.
struct SelectionOption: ParsableArguments {
  @Option(
    name: .customLong("only"),
    help: .value(
      "name", "Only this request or group, and what it depends on; may be repeated.",
      discussion: "Outputs that need anything else are left out."))
  private var only: [String] = []

  @Option(
    name: .customLong("from"),
    help: .value(
      "name", "Only this request or group, and what depends on it; may be repeated.",
      discussion: "The results of what it depends on are those of an earlier run."))
  private var from: [String] = []

  func validate() throws {
    try require(only.isEmpty || from.isEmpty, "--only and --from cannot be combined")
  }

  /// The part of the workflow, each name once: their order has no meaning.
  var part: WorkflowPart {
    if !from.isEmpty { return .from(Set(from).sorted()) }
    return only.isEmpty ? .whole : .only(Set(only).sorted())
  }

  var usesEarlierRun: Bool { !from.isEmpty }
}
