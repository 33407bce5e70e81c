import ArgumentParser
import GraphAPI
import GraphSandbox

/// The options for how the world of a sandbox begins, and for who controls it.
struct SandboxStartOptions: ParsableArguments {
  @Option(
    help: .value(
      "time",
      "What the world's clock shows at first: 2026-01-15, 2026-01-15T12:00:00Z or seconds since "
        + "1970; default: the machine's time."))
  var clock: WorldTime?

  @Option(
    help: .value(
      "file", "Start from this file: what POST /sandbox/snapshot has returned (not with --store)."),
    completion: .file())
  var snapshot: String?

  @Option(
    help: .value(
      "token", "The token of the control interface, for other machines, too.",
      discussion: """
        Default: $GRAPHFLOW_CONTROL_TOKEN, which no list of processes shows, else a new one for \
        this machine only.
        """))
  var controlToken: String?

  @Option(
    help: .value(
      "url",
      "Send the webhooks of every change there, as if it had subscribed to everything."))
  var forwardWebhooks: CallbackURL?

  func validate() throws {
    try require(
      controlToken.map(Self.isUsable) ?? true,
      "--control-token must be 8 to 200 characters without spaces")
  }

  func apply(to configuration: inout Sandbox.Configuration) throws {
    configuration.start.time = clock?.seconds
    configuration.start.webhooks = forwardWebhooks
    configuration.start.callbackAuthorities = try HTTPRoute.certificates()?.pem
    configuration.controlToken = try controlToken ?? tokenOfEnvironment()
    configuration.start.snapshot = try snapshot.map { try SandboxDocument.read($0, Snapshot.init) }
  }

  private func tokenOfEnvironment() throws -> String? {
    let name = "GRAPHFLOW_CONTROL_TOKEN"
    guard let token = Environment.value(name) else { return nil }
    guard Self.isUsable(token) else {
      throw CommandFailure(
        .misconfigured, "\(name) must be 8 to 200 characters without spaces")
    }
    return token
  }

  /// Whether a text can be a token in a header.
  private static func isUsable(_ token: String) -> Bool {
    (8...200).contains(token.utf8.count) && token.utf8.allSatisfy { (33...126).contains($0) }
  }
}

/// A time of a world: `2026-01-15`, `2026-01-15T12:00:00Z`, or seconds since 1970.
struct WorldTime: ExpressibleByArgument, Sendable {
  let seconds: Int

  init?(argument: String) {
    guard let seconds = WorldDescription.time(argument) else { return nil }
    self.seconds = seconds
  }
}

extension CallbackURL: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
