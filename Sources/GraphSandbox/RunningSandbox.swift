/// A sandbox that is listening.
public struct RunningSandbox: Sendable {
  /// Where it listens: `http://127.0.0.1:PORT`.
  public let url: String
  /// Names and access tokens: `default` is the user's, `page` belongs to the user's first page.
  public let tokens: [(name: String, token: String)]
  let world: LiveWorld

  /// The calls answered so far, oldest first.
  ///
  /// The log drops its older half when it holds more than 250,000 operations or takes about 32 MB.
  public func calls() async -> [SandboxCall] { world.calls }
}
