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
    /// Signs the server's certificate; nil: the sandbox speaks HTTP without TLS.
    package var authority: CertificateAuthority?
    /// The initial contents of the world.
    public var world = WorldDescription.standard
    /// Determines tokens and trace ids; everything else is the same for every seed.
    public var seed: UInt64 = 1
    /// The faults to inject.
    package var faults = FaultPlan()
    /// Answers from a recording instead of the world.
    package var recording: Recording?
    /// How many operations the log holds before it drops its older half, as it does when they take
    /// about 32 MB; 0: there is no log.
    package var logLimit = 250_000
    /// The machine's time in seconds since 1970, by which the world's time continues; nil: each
    /// call takes one second.
    public var clock: (@Sendable () -> Int)?
    /// How the world begins, and begins again when it is reset.
    package var start = Start()
    /// The token of the control interface; nil: a new one, which only this machine may use.
    public var controlToken: String?
    /// Receives every call after it is answered, in the order of the answers.
    package var observer: (@Sendable (SandboxCall) -> Void)?

    /// Makes a configuration for a free port on loopback, with the standard world.
    public init() {}
  }

  /// What a world begins with, apart from its description.
  package struct Start: Sendable {
    /// The world's first time, in seconds since 1970; nil: that of the snapshot, else the clock's.
    package var time: Int?
    /// The contents of the world in place of those described.
    package var snapshot: Snapshot?
    /// Keeps the world for the next start; a stored world replaces the described one.
    package var store: (any WorldStore)?
    /// Gets the webhooks of every change, as if it had subscribed to all of them; it may be on another
    /// machine.
    package var webhooks: CallbackURL?
    /// Certificates in PEM that callbacks with https may have; nil: those that the machine trusts.
    package var callbackAuthorities: [UInt8]?
    /// Lets time pass before an answer that a fault delays; it may be that of a virtual clock.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
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
    let (first, control) = (
      try configuration.firstWorld(), ControlToken(configuration.controlToken)
    )
    let world = LiveWorld(first, configuration)
    let server = SandboxServer(
      world: world, host: configuration.host, port: configuration.port,
      tls: try configuration.authority?.server(at: configuration.clock?() ?? first.now),
      trust: CallbackTrust(configuration.start.callbackAuthorities, configuration.authority),
      control: control, takesLists: configuration.world.behaviors.takesDependencyLists)
    return try await server.serving { url in
      let tokens = first.access.namedTokens
      try await server.verify(
        Handshake.needed(by: configuration.world.application.subscriptions, in: first))
      return try await body(
        RunningSandbox(url: url, tokens: tokens, controlToken: control.text, world: world))
    }
  }
}

extension Sandbox.Configuration {
  /// The stored world, or else a new one, which the store then keeps.
  func firstWorld() throws -> World {
    guard let store = start.store else { return try newWorld() }
    var kept = emptyWorld()
    if try kept.restore(from: store) { return kept }
    var first = try newWorld()
    guard store.change(first.allRecords()) else {
      throw SandboxFailure("the store cannot be written")
    }
    return first
  }

  /// The world of the start: the described one, or that of the snapshot.
  func newWorld() throws -> World {
    var world =
      try start.snapshot.map { try newWorld(from: $0) }
      ?? prepared(WorldBuilder(world, seed: seed, opensAt: start.time ?? clock?()))
    if let time = start.time { world.now = time }
    return world
  }

  /// The world of a snapshot, with the limits, behaviors, secrets and faults of the start.
  func newWorld(from snapshot: Snapshot) throws -> World {
    var world = emptyWorld()
    try world.restore(from: snapshot)
    return world
  }

  /// The clock of a world at its start.
  func newClock(of world: World) -> WorldClock {
    WorldClock(clock, at: start.time ?? start.snapshot.map { _ in world.now })
  }

  /// A world without users: what neither a store nor a snapshot keeps, the limits, the behaviors and
  /// the application's secrets.
  private func emptyWorld() -> World {
    var unstored = world
    (unstored.users, unstored.pages, unstored.adAccounts) = ([], [], [])
    return prepared(WorldBuilder(unstored, seed: seed))
  }

  private func prepared(_ builder: WorldBuilder) -> World {
    var world = builder.world
    world.faults.injector = FaultInjector(faults, seed: seed)
    world.webhooks.forward = start.webhooks
    return world
  }
}

/// A sandbox that is listening.
public struct RunningSandbox: Sendable {
  /// Where it listens: `http://127.0.0.1:PORT`, with TLS `https://…`.
  public let url: String
  /// Names and access tokens: `default` is the user's, `page` belongs to the user's first page.
  public let tokens: [(name: String, token: String)]
  /// The token of the control interface.
  public let controlToken: String
  let world: LiveWorld

  /// The calls answered so far, oldest first.
  ///
  /// The log drops its older half when it holds more than 250,000 operations or takes about 32 MB.
  public func calls() async -> [SandboxCall] { world.calls }

  /// Switches all faults off, so that what the world holds can be read.
  package func stopFaults() { world.stopFaults() }

  /// Waits until no webhook is due, so that the end of the sandbox loses none without an attempt.
  package func sendWebhooks() async throws {
    while world.isSendingWebhooks { try await Task.sleep(for: .milliseconds(10)) }
  }
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
