import ArgumentParser
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
      let identity = try await GraphClient.with(settings) {
        try await Identity(of: profile, settings, by: $0)
      }
      let now = WallClock.seconds()
      switch format {
      case .text: try Terminal.printResult(identity.text(now: now))
      case .json: try Terminal.printJSON(.object(identity.json(now: now)))
      }
      return .succeeded
    }
    .throwUnlessSucceeded()
  }
}
