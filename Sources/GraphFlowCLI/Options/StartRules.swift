import ArgumentParser
import GraphAPI

/// The flags that say what `run` does about other runs of the same file.
struct StartRules: ParsableArguments {
  /// What happens when another run of the file is under way.
  enum OnOverlap: String, ExpressibleByArgument, CaseIterable {
    case fail
    case wait
    case skip
  }

  /// What happens when the last run of the file is not at its end.
  enum OnUnfinished: String, ExpressibleByArgument, CaseIterable {
    case refuse
    case resume
    case ignore
    case doubt
  }

  @Option(
    help: ArgumentHelp(
      "When another run of the same file and profile is under way: fail (75), wait, or skip (0)."
    )
  )
  var onOverlap: OnOverlap = .fail

  @Option(
    name: .customLong("run-key"),
    help: ArgumentHelp(
      "At most one run of the file under this key.",
      discussion: """
        A second start goes on with the first run if that is unfinished; otherwise it repeats its \
        outputs, report and exit code, and sends nothing.
        """,
      valueName: "key"
    )
  )
  var key: String?

  @Option(
    help: ArgumentHelp(
      "When the last run of the same file and profile has sent writes and is not at its end.",
      discussion: """
        refuse names it and ends with 75, or with 3 if a write is in doubt; resume goes on with it \
        instead of starting one; ignore starts another; doubt starts another with every write in \
        doubt. Where its journal is damaged or gone, refuse and resume end with 65.
        """
    )
  )
  var onUnfinished: OnUnfinished = .refuse

  func validate() throws {
    guard let key else { return }
    guard !key.isEmpty, key.utf8.count <= 1000 else {
      throw ValidationError("--run-key is from 1 to 1000 bytes long")
    }
    // The journal holds the key, and two keys must not become one by being masked.
    guard ProcessRedactor.known.redacted(key) == nil else {
      throw ValidationError("--run-key is a token, or looks like one; choose another key")
    }
  }
}
