import GraphAPI
import GraphSandbox

/// The Graph API that the options name: an existing one, or a sandbox inside the process, over real
/// HTTP on a loopback port, that is started when needed.
struct GraphTarget: Sendable {
  /// Archives and printers of the HTTP exchanges.
  let recorders: [ExchangeRecorder]
  /// Nil for a sandbox.
  private let settings: Settings?
  private var world = WorldDescription.standard
  private var faults = FaultPlan()
  private let clock: WorldTime?
  private let webhooks: CallbackURL?
  private let profile: String?

  init(_ options: GraphOptions, printer: ExchangeRecorder?) throws {
    let archive = try options.record.map { try ExchangeRecorder(path: $0) }
    recorders = [archive, printer].compactMap(\.self)
    (clock, webhooks, profile) = (options.clock, options.forwardWebhooks, options.profile)
    settings = options.sandbox ? nil : try options.settings()
    if let path = options.world { world = try WorldReader.world(at: path) }
    if let path = options.faults { faults = try FaultReader.plan(at: path) }
  }

  /// Does the work of a command; what is recorded is kept even if the work fails.
  func run(
    _ work: @escaping @Sendable (Settings, Interruption) async throws -> ExitStatus
  ) throws {
    let result = Result {
      try Foreground.run { interruption in try await with { try await work($0, interruption) } }
    }
    do { for recorder in recorders { try recorder.finish() } } catch {
      if case .success = result { throw error }
    }
    try result.get().throwUnlessSucceeded()
  }

  /// Runs a closure with the settings for it; a sandbox serves a fresh world until it returns.
  private func with(
    _ body: @escaping @Sendable (Settings) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    if let settings { return try await body(settings) }
    // The log is not used here, and it would grow with the run. Unless another time is given, it is
    // that of this machine, so that a new post has the current time.
    var configuration = Sandbox.Configuration()
    (configuration.world, configuration.faults) = (world, faults)
    configuration.logLimit = 0
    (configuration.clock, configuration.start.time) = (WallClock.seconds, clock?.seconds)
    configuration.start.webhooks = webhooks
    configuration.start.callbackAuthorities = try HTTPRoute.certificates()?.pem
    return try await Sandbox(configuration).serving { [profile] sandbox in
      let status = try await body(try Settings(sandbox: sandbox, profile: profile))
      try await sandbox.sendWebhooks()
      return status
    }
  }
}

extension Settings {
  /// The settings for runs against a sandbox; a world that is kept is as good as Graph's.
  init(sandbox: RunningSandbox, profile: String?, isKept: Bool = false) throws {
    guard let url = GraphURL(sandbox.url) else {
      throw CommandFailure(.internalError, "the sandbox listens on '\(sandbox.url)'")
    }
    var tokens: [String: AccessToken] = [:]
    for (name, text) in sandbox.tokens {
      guard let token = AccessToken(text) else { continue }
      ProcessRedactor.record(token)
      tokens[name] = token
    }
    if let profile, tokens[profile] == nil {
      let names = sandbox.tokens.map(\.name).joined(separator: ", ")
      throw CommandFailure(
        .usage, "the sandbox has no token '\(profile)'", hint: "its tokens are: \(names)")
    }
    self.init(sandbox: url, tokens: tokens, profile: profile, isKept: isKept)
  }
}
