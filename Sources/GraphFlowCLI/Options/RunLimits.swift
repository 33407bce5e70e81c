import ArgumentParser
import GraphAPI
package import GraphFlow

/// The options for what a run may do.
struct RunLimits: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The most calls active at a time, 1 to 1000, or auto.",
      discussion: """
        auto begins with 4 and tries more, up to 32. It keeps what makes the run faster, and halves \
        the number when Graph refuses operations or calls time out.
        """, valueName: "n"))
  var concurrency = Concurrency.automatic

  @OptionGroup var session: SessionLimits
  @OptionGroup var selection: SelectionOption

  @Option(
    name: .customLong("of"),
    help: .value(
      "run",
      "With --from: the earlier run; by default the newest finished one of the file and profile."),
    completion: .runs)
  var earlierRun: String?

  @Flag(help: "Do not obtain a token again when Graph has refused it.")
  var noRecovery = false

  @Flag(help: "Show inputs, permissions and plan, and send nothing.")
  var dryRun = false

  @OptionGroup var preview: PreviewOptions

  @Flag(help: "Refuse a workflow that holds a POST or a DELETE.")
  var readOnly = false

  @Flag(help: "Stop the whole run if a permission is missing.")
  var requirePermissions = false

  @OptionGroup var unsafeWrites: UnsafeWritesOption
  @OptionGroup(title: "Windows of days") var windows: WindowOptions

  /// Refuses a workflow that the options do not allow, before anything is sent.
  func check(_ workflow: Workflow) throws {
    try windows.check(workflow)
    guard readOnly else { return }
    guard let write = workflow.requests.first(where: \.isWrite) else { return }
    let verb = write.method.rawValue
    throw CommandFailure(
      .invalid,
      "--read-only: '\(write.name)' (\(workflow.source.lineText(of: write.location))) is a \(verb); nothing was sent"
    )
  }
}

/// The value of `--concurrency`.
enum Concurrency: ExpressibleByArgument, CustomStringConvertible {
  static let maximum = 1000

  case automatic
  case fixed(Int)

  init?(argument: String) {
    if argument == "auto" {
      self = .automatic
    } else if let number = Int(argument), (1...Self.maximum).contains(number) {
      self = .fixed(number)
    } else {
      return nil
    }
  }

  var description: String { number.map(String.init) ?? "auto" }

  /// The fixed number; nil for `auto`.
  var number: Int? { if case .fixed(let number) = self { number } else { nil } }
}

/// The options for each session of a run, whether it starts the run or continues it.
struct SessionLimits: ParsableArguments {
  @Option(
    name: .customLong("budget"),
    help: .value(
      "parts", "The most to use of Graph's limits: calls=N,usage=P%, or one of them.",
      discussion: """
        Each operation of a batch and each id of 'ids=' is a call. When the budget is used up, the \
        run stays unfinished, and the exit code is 75.
        """),
    transform: { text in
      do throws(RunBudget.Problem) {
        return try RunBudget(text)
      } catch {
        throw ValidationError(error.message)
      }
    })
  var budget: RunBudget?

  @Option(
    name: .customLong("deadline"),
    help: .value(
      "duration",
      "Begin no call after this time, such as 45m; default: that of the workflow, or of the run "
        + "that is resumed.",
      discussion: """
        Requests with 'always' are still sent. What was not sent is cancelled, and the exit code is \
        75.
        """), transform: SessionLimits.duration)
  var deadline: Duration?

  @Option(
    name: .customLong("max-writes"),
    help: .value(
      "n",
      "The most POSTs and DELETEs that the run sends, with those of earlier sessions; default: that "
        + "of the workflow, or of the run that is resumed.",
      discussion: "Those beyond are not sent, and the exit code is 75."))
  var maxWrites: Int?

  @Option(
    name: .customLong("min-token-life"),
    help: .value(
      "duration", "Refuse to run (77) if a profile's token ends before this time has passed.",
      discussion: """
        Graph is asked before anything else is sent. The access to the person's data must last as \
        long. A token whose end is not known is refused, too.
        """), transform: SessionLimits.duration)
  var minTokenLife: Duration?

  @Flag(
    help: ArgumentHelp(
      "Ask the person on the terminal for a login or permissions that the run needs, and continue.",
      discussion: """
        Before anything is sent, and again after the run for what Graph named as missing: each \
        permission once. Needs the app's id, and GRAPHFLOW_CLIENT_TOKEN.
        """))
  var login = false

  func validate() throws {
    try require(
      !login || Terminal.hasPerson,
      "--login needs a terminal with a person who decides; without one, log in before: "
        + "graphflow login")
    if let maxWrites {
      try require(maxWrites >= 1, "--max-writes is \(maxWrites), but must be at least 1")
    }
  }

  /// Refuses a workflow that certainly sends more writes than it may, before anything is sent.
  func check(_ workflow: Workflow, _ items: [Plan.Items]) throws {
    guard let most = maxWrites ?? workflow.conduct.maxWrites else { return }
    let count = items.certainWrites(of: workflow)
    guard count > most else { return }
    throw CommandFailure(
      .invalid,
      "'\(workflow.source.path)' has \(count) writes, but may send at most \(most); nothing was sent",
      hint: "increase `max_writes`, or give --max-writes \(count)")
  }

  /// Reads a duration that is not zero.
  private static func duration(_ text: String) throws -> Duration {
    if let duration = DurationText.duration(text), duration > .zero { return duration }
    let nearest = DurationText.nearest(to: text).map { "; write \($0)" } ?? ""
    throw ValidationError("'\(text)' is not a duration such as 30s, 45m or 2h\(nearest)")
  }
}

/// The option for how many writes can become in doubt at the same time.
struct UnsafeWritesOption: ParsableArguments {
  @Option(
    name: .customLong("max-unsafe-writes"),
    help: .value("n", "The most active writes that can be neither repeated nor confirmed."))
  var maximum = 50

  func validate() throws {
    try require(maximum >= 1, "--max-unsafe-writes is \(maximum), but must be at least 1")
  }
}

/// The options that `plan` and `run` share, so that a plan shows the calls of a run.
struct PackingOptions: ParsableArguments {
  @Option(help: "The goal when requests are packed into batches.")
  var strategy: PackingStrategy = .fewestCalls

  @Option(
    help: .value(
      "n", "The most operations in a batch, 1 to 50; small batches time out less on heavy reads."))
  var batchSize = 50

  func validate() throws {
    try require(
      (1...50).contains(batchSize), "--batch-size is \(batchSize), but must be from 1 to 50")
  }

  func limits(unsafeWrites: Int = BatchLimits().unsafeWrites) -> BatchLimits {
    BatchLimits(width: batchSize, unsafeWrites: unsafeWrites, strategy: strategy)
  }
}

extension PackingStrategy: ExpressibleByArgument {}

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
