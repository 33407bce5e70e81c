import GraphAPI
import GraphSandbox

/// The Graph API that the options name: an existing one, or a sandbox inside the process, over real
/// HTTP on a loopback port, that is started when needed.
struct GraphTarget: Sendable {
  /// Nil for a sandbox.
  private let settings: Settings?
  private var world = WorldDescription.standard
  private var faults = FaultPlan()

  init(_ options: GraphOptions) throws {
    settings = options.sandbox ? nil : try options.settings()
    if let path = options.world { world = try WorldReader.world(at: path) }
    if let path = options.faults { faults = try FaultReader.plan(at: path) }
  }

  /// Runs a closure with the settings for it; a sandbox serves a fresh world until it returns.
  func with<Result: Sendable>(
    _ body: @escaping @Sendable (Settings) async throws -> Result
  ) async throws -> Result {
    if let settings { return try await body(settings) }
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
