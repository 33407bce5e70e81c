import ArgumentParser

/// The flags of commands about one profile's login.
struct ProfileOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The profile; default: 'default'.", valueName: "name"))
  var profile: String?

  @Option(
    name: .customLong("graph-url"),
    help: ArgumentHelp(
      "Where the Graph API is, such as a sandbox; each has logins of its own.",
      valueName: "url"
    )
  )
  var graphURL: String?

  /// The settings that these flags, the environment and the configuration make.
  func settings() throws -> Settings { try Settings(profile: profile, graphURL: graphURL) }
}
