/// A local Graph API: an HTTP server with a world of its own.
///
/// ```swift
/// let calls = try await Sandbox(.init()).serving { sandbox in
///   // … talk to sandbox.url …
///   return await sandbox.calls()
/// }
/// ```
///
/// `docs/reference/sandbox.md` lists what it serves, and which answers are invented.
public struct Sandbox: Sendable {
  /// How a batch shows operations that were not run because a dependency failed.
  package enum AbortedForm: String, Hashable, Sendable, CaseIterable {
    /// As `null`, as in recordings of the real API.
    case null
    /// As items with code 500 and error 960, as in newer reports.
    case error960
  }

  /// Where the sandbox listens, and its world.
  public struct Configuration: Sendable {
    /// The address to listen on; anything but loopback opens the sandbox to others.
    public var host = "127.0.0.1"
    /// The port; 0 picks a free one.
    public var port = 0
    /// The initial contents of the world.
    public var world = WorldDescription.standard
    /// Determines tokens and trace ids; everything else is the same for every seed.
    public var seed: UInt64 = 1
    /// Keeps the world for the next start; a stored world replaces `world`.
    package var store: (any WorldStore)?
    /// The faults to inject.
    package var faults = FaultPlan()
    /// Answers from a recording instead of the world.
    package var recording: Recording?
    /// How many operations the log holds before it drops its older half, as it does when they take
    /// about 32 MB; 0: there is no log.
    package var logLimit = 250_000
    /// The world's time in seconds since 1970; nil: each call takes one second.
    public var clock: (@Sendable () -> Int)?
    /// Receives every call after it is answered, in the order of the answers.
    package var observer: (@Sendable (SandboxCall) -> Void)?

    /// Makes a configuration for a free port on loopback, with the standard world.
    public init() {}
  }

  private let configuration: Configuration

  /// Makes a sandbox; it listens once ``serving(_:)`` is called.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// Serves until the body returns, then stops.
  ///
  /// Each time it starts from the same world, unless a store holds another.
  ///
  /// - Throws: ``SandboxFailure`` if the sandbox cannot listen, stops by itself or has a store that
  ///   cannot be used; what the store and the body throw.
  public func serving<R: Sendable>(
    _ body: @Sendable @escaping (RunningSandbox) async throws -> R
  ) async throws -> R {
    var first = try configuration.initialWorld()
    first.faults.injector = FaultInjector(configuration.faults, seed: configuration.seed)
    let world = LiveWorld(first, configuration)
    let tokens = first.access.namedTokens
    let server = SandboxServer(
      world: world, host: configuration.host, port: configuration.port,
      takesLists: configuration.world.behaviors.takesDependencyLists)
    return try await server.serving { url in
      try await body(RunningSandbox(url: url, tokens: tokens, world: world))
    }
  }
}

extension Sandbox.Configuration {
  /// The stored world, or else the described one, which the store then keeps.
  fileprivate func initialWorld() throws -> World {
    let now = clock?()
    guard let store else { return WorldBuilder(world, seed: seed, opensAt: now).world }
    // Limits, behaviors and the application's secrets are not stored.
    var unstored = world
    (unstored.users, unstored.pages, unstored.adAccounts) = ([], [], [])
    var kept = WorldBuilder(unstored, seed: seed).world
    if try kept.restore(from: store) { return kept }
    var first = WorldBuilder(world, seed: seed, opensAt: now).world
    guard store.change(first.allRecords()) else {
      throw SandboxFailure("the store cannot be written")
    }
    return first
  }
}

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

/// Why a sandbox could not serve.
public struct SandboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, for people.
  public let description: String
  /// Whether another program listens on its port.
  public let isPortTaken: Bool

  init(_ description: String, isPortTaken: Bool = false) {
    self.description = description
    self.isPortTaken = isPortTaken
  }
}
