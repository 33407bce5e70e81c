import ArgumentParser

/// `graphflow completions`: the script by which a shell completes command lines.
struct CompletionsCommand: ParsableCommand {
  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the completion script of a shell.",
    discussion: """
      With the script, the tab key completes commands, options and their values: files where files \
      go, ids of runs, profiles, the requests of the workflow on the line, error codes. The packages \
      install it; otherwise the shell has to load it.

      Example: bash, in ~/.bashrc:

        source <(graphflow completions bash)

      Example: zsh, once, into a folder of $fpath; then start a new shell:

        graphflow completions zsh > "${fpath[1]}/_graphflow"

      Example: fish, once:

        graphflow completions fish > ~/.config/fish/completions/graphflow.fish
      """)

  @Argument(help: "The shell.")
  var shell: Shell

  func run() throws {
    guard let shell = CompletionShell(rawValue: shell.rawValue) else { return }
    try Terminal.printResult(GraphFlowCommand.completionScript(for: shell))
  }
}

/// The call by which a completion script asks for the values of an argument.
enum CompletionCall {
  static func isMade(by words: [String]) -> Bool { words.first == "---completion" }

  /// Prints the values, and nothing else.
  ///
  /// Whatever goes wrong, a message would land in the command line that is being typed. The script may
  /// be that of another version.
  static func answer(_ words: [String]) {
    let silence = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if silence >= 0 { dup2(silence, STDERR_FILENO) }
    do { _ = try GraphFlowCommand.parseAsRoot(words) } catch {
      // The parser throws the answer as well.
      guard GraphFlowCommand.exitCode(for: error).isSuccess else { return }
      try? Terminal.printResult(GraphFlowCommand.fullMessage(for: error))
    }
  }
}
