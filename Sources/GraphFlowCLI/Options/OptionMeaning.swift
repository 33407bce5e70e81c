import ArgumentParser
import GraphFlow

/// What people mean by options of other tools that this command does not have.
///
/// The parser itself suggests options with similar letters.
enum OptionMeaning {
  /// What to write, and the option that a command must have for it; without one, a sentence.
  private typealias Advice = (text: String, option: String?)

  private static let table: [(words: [String], advice: [Advice])] = [
    (
      ["json", "json-output"],
      [
        ("--report -", "--report"), ("--format json", "--format"),
        ("--log-format json makes a line of JSON of each message", nil),
      ]
    ),
    (["yaml", "csv", "table", "text"], [("--format", "--format"), ("--rows", "--rows")]),
    (
      ["access-token", "api-key", "auth", "token"],
      [("the token comes from graphflow login, GRAPHFLOW_ACCESS_TOKEN or a profile", nil)]
    ),
    (["jobs", "parallel", "threads", "workers"], [("--concurrency", "--concurrency")]),
    (["arg", "define", "param", "parameter", "set", "var"], [("--input", "--input")]),
    (["env-file", "values", "vars", "var-file"], [("--inputs", "--inputs")]),
    (
      ["check", "dry", "explain", "noop", "preview", "simulate"],
      [("--dry-run", "--dry-run")]
    ),
    (["local", "mock", "offline", "test"], [("--sandbox", "--sandbox")]),
    (["silent"], [("--quiet", "--quiet")]), (["debug", "trace"], [("-vv", "--verbose")]),
    (["continue", "resume"], [("graphflow resume latest continues a run", nil)]),
    (
      ["api-url", "base-url", "endpoint", "host", "server", "url"],
      [("--graph-url", "--graph-url")]
    ),
    (
      ["api-version"],
      [("--graph-version", "--graph-version"), ("the file has it: `version`", nil)]
    ),
    (["retries", "retry"], [("the file has it: `retry`", nil)]),
    (["timeout"], [("the file has it: `timeout`", nil)]),
    (["log", "out", "output-file", "save"], [("--report", "--report"), ("--output", "--output")]),
    (["filter", "request", "skip", "target"], [("--only", "--only")]),
    (["watch"], [("graphflow runs watch shows a run that is active", nil)]),
    (["rate", "rate-limit", "max-calls"], [("--budget", "--budget")]),
  ]

  /// What to write in place of an unknown option.
  ///
  /// - Parameters:
  ///   - message: the parser's message.
  ///   - help: the help of the command, which names its options.
  /// - Returns: a sentence; nil if the option is not one of other tools.
  static func advice(about message: String, help: String) -> String? {
    guard let match = message.firstMatch(of: /Unknown option '--?([a-z-]+)/),
      let row = table.first(where: { $0.words.contains(String(match.output.1)) })
    else { return nil }
    let known = row.advice.first { advice in
      advice.option.map { help.contains("\($0) ") || help.contains("\($0)\n") } ?? true
    }
    return known.map { $0.option == nil ? $0.text : "did you mean \($0.text)?" }
  }

  /// The parser's message, with what people mean by its unknown option.
  static func explained(_ message: String, help: String) -> String {
    guard let advice = advice(about: message, help: help) else { return message }
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = lines[0].split(separator: ". Did you mean", maxSplits: 1)[0]
    lines[0] = "\(first)\n  \(advice)"
    return lines.joined(separator: "\n")
  }
}
