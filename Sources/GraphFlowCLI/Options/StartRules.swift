import ArgumentParser
import GraphAPI

/// The options for what `run` does about other runs of the same file.
struct StartRules: ParsableArguments {
  /// What happens if another run of the file is active.
  enum OnOverlap: String, ExpressibleByArgument, CaseIterable {
    case fail, wait, skip
  }

  /// What happens if the last run of the file is not finished.
  enum OnUnfinished: String, ExpressibleByArgument, CaseIterable {
    case refuse, resume, ignore, doubt
  }

  @Option(
    help: ArgumentHelp(
      "If another run of the same file and profile is active: fail (75), wait, or skip (0)."))
  var onOverlap: OnOverlap = .fail

  @Option(
    name: .customLong("run-key"),
    help: .value(
      "key", "At most one run of the file under this key.",
      discussion: """
        A second start continues the first run if that is unfinished. Otherwise it repeats its \
        outputs, report and exit code, and sends nothing.
        """))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "If the last run of the same file and profile has sent writes and is not finished.",
      discussion: """
        refuse names it and ends with 75, or with 3 if a write is in doubt; resume continues it \
        instead of starting one; ignore starts another; doubt starts another with every write in \
        doubt. If its journal is damaged or gone, refuse and resume end with 65.
        """))
  var onUnfinished: OnUnfinished = .refuse

  func validate() throws {
    guard let key else { return }
    try require((1...1000).contains(key.utf8.count), "--run-key must be from 1 to 1000 bytes long")
    // The journal holds the key, and two keys must not become one by being masked.
    try require(
      ProcessRedactor.known.redacted(key) == nil,
      "--run-key is a token, or looks like one; choose another key")
  }
}
