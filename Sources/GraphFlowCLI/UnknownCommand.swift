import ArgumentParser
import GraphFlow

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
