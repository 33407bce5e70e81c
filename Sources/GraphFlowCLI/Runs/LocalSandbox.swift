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
    // Nobody looks at the log, and it would grow with the run. The time is that of this machine, as
    // people expect of what they have just posted.
    let configuration = Sandbox.Configuration(
      world: world,
      faults: faults,
      logLimit: 0,
      clock: WallClock.seconds
    )
    return try await Sandbox(configuration).serving { sandbox in
      guard let url = GraphURL(sandbox.url) else {
        throw CommandFailure(.internalError, "the sandbox listens on '\(sandbox.url)'")
      }
      var tokens: [String: AccessToken] = [:]
      for (name, text) in sandbox.tokens {
        guard let token = AccessToken(text) else { continue }
        SecretNet.learn(token)
        tokens[name] = token
      }
      return try await body(Settings(sandbox: url, tokens: tokens))
    }
  }
}

extension LocalSandbox {
  /// The sandbox that options ask for.
  ///
  /// - Throws: a ``CommandFailure`` if one of their files cannot be used.
  init(_ options: GraphOptions) throws {
    if let path = options.world { world = try WorldFile.world(at: path) }
    if let path = options.faults { faults = try FaultFile.plan(at: path) }
  }
}
