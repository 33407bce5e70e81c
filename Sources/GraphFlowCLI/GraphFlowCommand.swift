import ArgumentParser
import GraphFlow

/// The command `graphflow`: its subcommands, and the one place where the process ends.
@main
struct GraphFlowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graphflow",
    abstract: "Runs workflows of Graph API requests in as few calls as the API allows.",
    discussion: """
      A workflow is a YAML file of named requests that refer to each other's results. GraphFlow \
      checks it, packs it into batches, runs it, and records what happened.

      Example: a first workflow, checked, planned and run without an account:

        graphflow init hello
        graphflow validate hello.yaml
        graphflow plan hello.yaml
        graphflow run hello.yaml --sandbox

      With --log-format json, every command writes what goes to standard error as one JSON object a \
      line.
      """, version: "graphflow \(toolVersion)",
    groupedSubcommands: [
      CommandGroup(
        name: "Workflows",
        subcommands: [
          RunCommand.self, PlanCommand.self, ExplainCommand.self, CurlCommand.self,
          ValidateCommand.self, FormatCommand.self, TestCommand.self, ResumeCommand.self,
          ScheduleCommand.self,
          ExportCommand.self, InitCommand.self,
        ]),
      CommandGroup(
        name: "The journal",
        subcommands: [
          RunsCommand.self, ReportCommand.self, BundleCommand.self, StateCommand.self,
        ]),
      CommandGroup(
        name: "Graph API",
        subcommands: [
          GetCommand.self, PostCommand.self, DeleteCommand.self, SandboxCommand.self,
        ]),
      CommandGroup(
        name: "Logins",
        subcommands: [
          LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, PermissionsCommand.self,
        ]),
      CommandGroup(
        name: "Tools",
        subcommands: [
          QueryCommand.self, ExplainErrorCommand.self, DoctorCommand.self, SchemaCommand.self,
          CompletionsCommand.self,
        ]),
    ])

  static var _errorLabel: String { "error" }

  /// Parses the command line, runs the command, and ends the process with the exit code.
  static func main() {
    ProcessStart.openStandardStreams()
    ProcessStart.protectMemory()
    ProcessRedactor.recordVariables()
    do {
      var words = Array(try ProcessStart.arguments().dropFirst())
      guard !CompletionCall.isMade(by: words) else { return CompletionCall.answer(words) }
      try Terminal.takeLogFormat(from: &words)
      // Scripts ask often, and the parser takes longer than everything else.
      if words == ["--version"] { return try Terminal.printResult(configuration.version) }
      try refuseUnknownCommand(in: words)
      var command = try parseAsRoot(words)
      try command.run()
    } catch {
      exit(after: error)
    }
  }

  /// Ends the process, after the parser's errors as the parser would; tokens in its message are masked.
  private static func exit(after error: any Error) -> Never {
    let code = exitCode(for: error)
    // The help is an error of the parser, too.
    guard code.isSuccess || code == .validationFailure || error is ExitCode else {
      let failure = CommandFailure(error)
      Terminal.printFailure(failure)
      exit(withError: ExitCode(failure.status.rawValue))
    }
    let parsed = fullMessage(for: error)
    let message = OptionMeaning.explained(parsed, help: help(of: CommandLine.arguments.dropFirst()))
    if code.isSuccess, !message.isEmpty {
      do { try Terminal.printResult(message) } catch { exit(after: error) }
      exit(withError: ExitCode.success)
    }
    guard Terminal.isStructured || TokenShape.masking(message) != parsed else {
      exit(withError: error)
    }
    Terminal.notify(message, .error)
    exit(withError: code)
  }

  /// The help of the command that these words begin with.
  private static func help(of words: ArraySlice<String>) -> String {
    var command: any ParsableCommand.Type = GraphFlowCommand.self
    for word in words {
      let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
      guard let next else { break }
      command = next
    }
    return helpMessage(for: command)
  }

  /// Refuses a command line whose first word is not a command.
  ///
  /// The parser would report an unexpected argument, and for an empty command line print the help
  /// and succeed.
  private static func refuseUnknownCommand(in arguments: [String]) throws {
    let helpHint = "`graphflow --help` lists the commands"
    guard let first = arguments.first else {
      throw CommandFailure(.usage, "no command is given", hint: helpHint)
    }
    let known = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let word = arguments.dropFirst(first == "help" ? 1 : 0).first, !word.hasPrefix("-"),
      !known.contains(word)
    else { return }
    let hint =
      if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
        "to run a workflow: graphflow run \(word)"
      } else {
        NearestName.to(word, among: known).map { "did you mean '\($0)'?" } ?? helpHint
      }
    throw CommandFailure(.usage, "unknown command '\(word.prefix(60))'", hint: hint)
  }
}
