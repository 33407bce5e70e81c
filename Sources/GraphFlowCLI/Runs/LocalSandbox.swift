import GraphAPI
import GraphSandbox

/// The sandbox inside the process, over real HTTP on a loopback port.
enum LocalSandbox {
  /// Serves a fresh world until the body returns.
  static func serving<Result: Sendable>(
    _ body: @escaping @Sendable (Settings) async throws -> Result
  ) async throws -> Result {
    // Nobody looks at the log, and it would grow with the run.
    try await Sandbox(Sandbox.Configuration(logLimit: 0)).serving { sandbox in
      guard let url = GraphURL(sandbox.url) else {
        throw CommandFailure(.internalError, "the sandbox listens on '\(sandbox.url)'")
      }
      var tokens: [String: AccessToken] = [:]
      for (name, token) in sandbox.tokens { tokens[name] = AccessToken(token) }
      return try await body(Settings(sandbox: url, tokens: tokens))
    }
  }
}
