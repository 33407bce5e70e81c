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
      """, version: "graphflow \(toolVersion)",
    groupedSubcommands: [
      CommandGroup(
        name: "Workflows",
        subcommands: [
          RunCommand.self, PlanCommand.self, ExplainCommand.self, ValidateCommand.self,
          ResumeCommand.self, ScheduleCommand.self, InitCommand.self,
        ]),
      CommandGroup(name: "The journal", subcommands: [RunsCommand.self, ReportCommand.self]),
      CommandGroup(
        name: "Graph API",
        subcommands: [
          GetCommand.self, PostCommand.self, DeleteCommand.self, SandboxCommand.self,
        ]),
      CommandGroup(
        name: "Logins", subcommands: [LoginCommand.self, LogoutCommand.self, WhoamiCommand.self]),
      CommandGroup(
        name: "Tools",
        subcommands: [QueryCommand.self, ExplainErrorCommand.self, SchemaCommand.self]),
    ])

  static var _errorLabel: String { "error" }

  /// Parses the command line, runs the command, and ends the process with the exit code.
  static func main() {
    ProcessStart.openStandardStreams()
    ProcessStart.protectMemory()
    ProcessRedactor.recordVariables()
    let words: [String]
    do {
      words = Array(try ProcessStart.arguments().dropFirst())
      if let failure = UnknownCommand.refusal(of: words, in: configuration) { throw failure }
    } catch {
      exit(failure: CommandFailure(error))
    }
    var command: any ParsableCommand
    do { command = try parseAsRoot(words) } catch { exit(parserError: error) }
    do { try command.run() } catch {
      // The parser reports its own errors, and prints the help, which is an error, too.
      if error is ExitCode || error is ValidationError || exitCode(for: error).isSuccess {
        exit(parserError: error)
      }
      exit(failure: CommandFailure(error))
    }
  }

  private static func exit(failure: CommandFailure) -> Never {
    Terminal.printFailure(failure)
    exit(withError: ExitCode(failure.status.rawValue))
  }

  /// Ends the process as the parser would, but masks tokens that its message repeats.
  private static func exit(parserError error: any Error) -> Never {
    let message = fullMessage(for: error)
    if exitCode(for: error).isSuccess, !message.isEmpty {
      do {
        try Terminal.printResult(message)
      } catch {
        exit(failure: CommandFailure(error))
      }
      exit(withError: ExitCode.success)
    }
    guard TokenShape.masking(message) != message else { exit(withError: error) }
    Terminal.notify(message)
    exit(withError: exitCode(for: error))
  }
}

/// Refuses a command line whose first word is not a command.
///
/// The parser would report an unexpected argument, and for an empty command line print the help and
/// succeed.
enum UnknownCommand {
  /// Why a command line is refused; nil if it begins with a command or an option.
  static func refusal(
    of arguments: [String], in configuration: CommandConfiguration
  ) -> CommandFailure? {
    guard !arguments.isEmpty else {
      return CommandFailure(.usage, "no command is given", hint: helpHint)
    }
    let isHelp = arguments.first == "help"
    guard let word = arguments.dropFirst(isHelp ? 1 : 0).first, !word.hasPrefix("-") else {
      return nil
    }
    let shown = configuration.groupedSubcommands.flatMap(\.subcommands)
    let known = names(of: configuration.subcommands) + ["help"]
    guard !known.contains(word) else { return nil }
    return CommandFailure(
      .usage, "unknown command '\(String(word.prefix(60)))'",
      hint: hint(for: word, among: names(of: shown) + ["help"]))
  }

  private static func hint(for word: String, among names: [String]) -> String {
    if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
      return "to run a workflow: graphflow run \(word)"
    }
    let nearest = NearestName.to(word, among: names)
    return nearest.map { "did you mean '\($0)'?" } ?? helpHint
  }

  private static let helpHint = "`graphflow --help` lists the commands"

  private static func names(of commands: [any ParsableCommand.Type]) -> [String] {
    commands.compactMap { $0.configuration.commandName }
  }
}
