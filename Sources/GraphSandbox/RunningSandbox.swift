/// A sandbox that is listening.
public struct RunningSandbox: Sendable {
  /// Where it listens: `http://127.0.0.1:PORT`.
  public let url: String
  /// Names and access tokens: `default` is the user's, `page` that of the user's first page.
  public let tokens: [(name: String, token: String)]
  let world: LiveWorld

  /// The calls answered so far, oldest first.
  ///
  /// The older half is forgotten once the log holds more operations than the configuration's
  /// `logLimit`, 250,000 unless it says otherwise, or takes about 32 MB.
  public func calls() async -> [SandboxCall] { world.calls }
}
