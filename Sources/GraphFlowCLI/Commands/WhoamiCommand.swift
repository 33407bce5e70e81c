import ArgumentParser
import JSONPath

/// `graphflow whoami`: asks Graph whose token a profile has, and what it allows.
struct WhoamiCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show whose token a profile has, and what it allows.",
    discussion: """
      Asks Graph, and prints where the token comes from, which permissions were granted and declined, \
      and when the token ends. A dead or missing token ends with 77.

      Example: is the token of a job good for another week? If not, it says why and ends with 77:

        graphflow whoami --profile press --require pages_manage_posts --min-days 7

      Example: for how many days is it valid?

        graphflow whoami --format json | graphflow query '$.expires_in_days'
      """)

  @OptionGroup var options: ProfileOptions

  @Option(help: .value("a,b", "Permissions that must be granted; else it ends with 77."))
  var require: [String] = []

  @Option(help: .value("n", "Days for which the token and its data must last; else 77."))
  var minDays: Int?

  @Option(help: "How to print the result.")
  var format: OutputFormat = .text

  private var demand: TokenDemand {
    let seconds = minDays.map { $0.multipliedReportingOverflow(by: 86_400) }
    return TokenDemand(
      scopes: require.permissionNames, seconds: seconds.map { $0.overflow ? .max : $0.partialValue }
    )
  }

  func validate() throws {
    try require.checkPermissionNames(of: "--require")
    try GraphFlowCLI.require(minDays.map { $0 >= 0 } ?? true, "--min-days must be 0 or more")
  }

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
      try identity.satisfy(demand, now: now)
      return .succeeded
    }
    .throwUnlessSucceeded()
  }
}
