import GraphAPI
import GraphSandbox

/// The sandbox inside the process, over real HTTP on a loopback port.
struct LocalSandbox: Sendable {
  /// What is in it at the start.
  var world = WorldDescription.standard
  /// What goes wrong in it.
  var faults = FaultPlan()

  /// Serves a fresh world until the body returns.
  func serving<Result: Sendable>(
    _ body: @escaping @Sendable (Settings) async throws -> Result
  ) async throws -> Result {
    // The log is not used here, and it would grow with the run. The time is that of this machine,
    // so that a new post has the current time.
    var configuration = Sandbox.Configuration()
    (configuration.world, configuration.faults) = (world, faults)
    configuration.logLimit = 0
    configuration.clock = WallClock.seconds
    return try await Sandbox(configuration).serving { sandbox in
      guard let url = GraphURL(sandbox.url) else {
        throw CommandFailure(.internalError, "the sandbox listens on '\(sandbox.url)'")
      }
      var tokens: [String: AccessToken] = [:]
      for (name, text) in sandbox.tokens {
        guard let token = AccessToken(text) else { continue }
        ProcessRedactor.record(token)
        tokens[name] = token
      }
      return try await body(Settings(sandbox: url, tokens: tokens))
    }
  }
}

/// The Graph API that the options name: an existing one, or a sandbox that is started when needed.
struct GraphTarget: Sendable {
  private let settings: Settings?
  private var sandbox = LocalSandbox()

  /// Reads the options.
  ///
  /// - Throws: a ``CommandFailure`` if they or one of their files cannot be used.
  init(_ options: GraphOptions) throws {
    settings = options.sandbox ? nil : try Settings(options)
    if let path = options.world { sandbox.world = try WorldFile.world(at: path) }
    if let path = options.faults { sandbox.faults = try FaultFile.plan(at: path) }
  }

  /// Runs a closure with the settings for it.
  func with<Result: Sendable>(
    _ body: @escaping @Sendable (Settings) async throws -> Result
  ) async throws -> Result {
    guard let settings else { return try await sandbox.serving(body) }
    return try await body(settings)
  }
}
