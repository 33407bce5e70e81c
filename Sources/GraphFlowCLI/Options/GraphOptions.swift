import ArgumentParser
import GraphSandbox

/// The options for which Graph API is called, and with whose token.
struct GraphOptions: ParsableArguments {
  @Option(
    help: .value(
      "name",
      "The profile whose token is used, with --sandbox the token of the world; default: the "
        + "workflow's, else 'default'."),
    completion: .profiles)
  var profile: String?

  @Option(help: .value("url", "The address of the Graph API: https, or http on loopback."))
  var graphURL: String?

  @Flag(help: "Use a sandbox inside this process: no account, no token, no network.")
  var sandbox = false

  @Option(
    help: .value("file", "What is in the sandbox at the start; default: Alex's world."),
    completion: .workflows)
  var world: String?

  @Option(
    help: .value("file", "With --sandbox: what goes wrong there (docs/reference/faults.md)."),
    completion: .workflows)
  var faults: String?

  @Option(help: .value("time", "With --sandbox: what its clock shows at first, in UTC."))
  var clock: WorldTime?

  @Option(
    help: .value(
      "url", "With --sandbox: send the webhooks of every change there, over http or https."))
  var forwardWebhooks: CallbackURL?

  @Option(
    help: .value(
      "file.har", "Write the calls and answers to this file, an HTTP archive without secrets."),
    completion: .archives)
  var record: String?

  func settings() throws -> Settings { try Settings(profile: profile, graphURL: graphURL) }

  func validate() throws {
    try require(!(sandbox && graphURL != nil), "--sandbox and --graph-url exclude each other")
    try require(sandbox || world == nil, "--world needs --sandbox")
    try require(sandbox || faults == nil, "--faults needs --sandbox")
    try require(sandbox || clock == nil, "--clock needs --sandbox")
    try require(
      sandbox || forwardWebhooks == nil, "--forward-webhooks needs --sandbox")
  }
}

/// The option for where runs are kept.
struct StateOptions: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: .value(
      "url", "The PostgreSQL database where runs are kept, which several hosts may share.",
      discussion: "postgresql://USER@HOST/DATABASE. Default: $GRAPHFLOW_STATE, else a folder."))
  var database: String?

  @Option(
    name: .customLong("state-dir"),
    help: .value(
      "dir", "Where runs are kept.",
      discussion: """
        Default: $GRAPHFLOW_STATE_DIR, else graphflow in the XDG state directory \
        (~/.local/state/graphflow).
        """), completion: .directory)
  var path: String?

  func validate() throws {
    try require(database == nil || path == nil, "--state and --state-dir exclude each other")
  }
}

/// The format of a result: for people or for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// The options for how much a command prints.
struct OutputOptions: ParsableArguments {
  /// Which events of a run the program in the configuration gets.
  enum Notices: String, ExpressibleByArgument, CaseIterable {
    case always, changed, none
  }

  @Flag(name: .shortAndLong, help: "Print nothing unless something failed.")
  var quiet = false

  @Flag(
    name: [.short, .customLong("verbose")],
    help: "Print more: every operation, sent and answered; -vv also every HTTP exchange.")
  var verbosity: Int

  var verbose: Bool { verbosity > 0 }

  /// Prints the HTTP exchanges; nil if they are not asked for.
  var exchangePrinter: ExchangeRecorder? { verbosity > 1 ? ExchangeRecorder() : nil }

  @Option(
    help: .value(
      "path", "Write the outputs, one line of JSON, to this file, or with - to standard output.",
      discussion: """
        Also under --quiet. Without it they go to standard output unless --quiet is given. With \
        several workflows the path must hold {name}.
        """), completion: .file())
  var outputs: ReportDestination?

  @Option(
    help: ArgumentHelp(
      "How progress is shown on standard error.",
      discussion: """
        auto is a live block on a terminal (bar), and elsewhere, with CI set or with --verbose some \
        lines: start, every 10 %, every half minute, each pause and each new kind of failure \
        (plain). json is one object a line.
        """))
  var progress: ProgressDisplay.Kind = .auto

  @Option(
    help: ArgumentHelp(
      "When the program that `notify` in the configuration names gets the events of the run.",
      discussion: """
        changed: only if the result differs from that of the last run of the file and profile.
        """))
  var notify: Notices = .always

  func validate() throws {
    try require(!(quiet && verbose), "--quiet and --verbose exclude each other")
  }

  /// Refuses formats that do not exist, and two results on standard output.
  func validate(_ reports: [ReportDestination]) throws {
    try ReportDestination.validate(reports)
    try require(
      outputs?.isStandardOutput != true || !reports.contains(where: \.isStandardOutput),
      "--outputs - and --report - would both write to standard output")
  }

  /// Refuses paths to which a report or the outputs cannot be written, before anything is sent.
  func check(_ reports: [ReportDestination], for workflow: String) throws {
    for report in reports { try report.check(for: workflow) }
    try outputs?.check(for: workflow)
  }
}

extension ProgressDisplay.Kind: ExpressibleByArgument {}

/// The options of commands about one profile's login.
struct ProfileOptions: ParsableArguments {
  @Option(help: .value("name", "The profile; default: 'default'."), completion: .profiles)
  var profile: String?

  @Option(
    help: .value(
      "url", "The address of the Graph API, such as a sandbox; each host has its own logins."))
  var graphURL: String?

  func settings() throws -> Settings { try Settings(profile: profile, graphURL: graphURL) }
}

/// Refuses a command line that does not meet a condition.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw ValidationError(message()) }
}

extension [String] {
  /// The permissions that the values of an option name, with commas or spaces between them.
  var permissionNames: [String] {
    flatMap { $0.split { $0 == "," || $0 == " " } }.map { String($0) }
  }

  /// Refuses the values of an option that are not names of permissions.
  func checkPermissionNames(of option: String) throws {
    let isName = { (name: String) in
      name.utf8.count <= 100
        && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
    }
    if let wrong = permissionNames.first(where: { !isName($0) }) {
      throw ValidationError("\(option): '\(wrong)' is not a permission, such as pages_show_list")
    }
  }
}

extension ArgumentHelp {
  /// A help text, and the name of the value in it.
  static func value(_ name: String, _ text: String, discussion: String = "") -> ArgumentHelp {
    ArgumentHelp(text, discussion: discussion, valueName: name)
  }
}
