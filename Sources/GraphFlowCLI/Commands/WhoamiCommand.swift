import ArgumentParser
import GraphAPI
import JSONPath

/// `graphflow whoami`: asks Graph whose token a profile has, and what it allows.
struct WhoamiCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show whose token a profile has, and what it allows.",
    discussion: """
      Asks Graph, and prints where the token comes from, which permissions were granted and declined, \
      and when the token ends. A dead or missing token ends with 77.

      Example: is the token of a job valid for another week?

        graphflow whoami --profile press
        graphflow whoami --format json | graphflow query '$.expires_in_days'
      """)

  @OptionGroup var options: ProfileOptions

  @Option(help: "How to print the result.")
  var format: OutputFormat = .text

  func run() throws {
    let settings = try options.settings()
    let profile = settings.profile ?? "default"
    try Foreground.run { _ in
      let identity = try await identity(of: profile, settings)
      let now = WallClock.seconds()
      switch format {
      case .text: try Terminal.printResult(identity.text(now: now))
      case .json: try Terminal.printJSON(.object(identity.json(now: now)))
      }
      return .succeeded
    }
    .throwUnlessSucceeded()
  }

  private func identity(of profile: String, _ settings: Settings) async throws -> Identity {
    let token = try settings.tokens.token(for: profile)
    let source = settings.tokens.source(of: profile) ?? .login
    let facts: TokenFacts
    do {
      facts = try await GraphClient.with(settings) {
        try await TokenFacts(of: token, by: $0, settings)
      }
    } catch var failure as CommandFailure where failure.status == .notPermitted {
      if case .login = source {
        failure.hint = "log in again: \(LoginStore.command(for: profile, at: settings.graphURL))"
      }
      throw failure
    }
    var identity = Identity(
      profile: profile, source: source, graphURL: settings.graphURL, facts: facts)
    if case .login = source,
      let login = try? LoginStore.required().login(of: profile, at: settings.graphURL),
      login.token == token
    {
      // Fills in from the stored login what Graph does not report about its token.
      identity.facts.app = facts.app ?? login.facts.app
      if facts.end == .unknown { identity.facts.end = login.facts.end }
      if facts.dataAccessExpiry == .unknown {
        identity.facts.dataAccessExpiry = login.facts.dataAccessExpiry
      }
    }
    return identity
  }
}
