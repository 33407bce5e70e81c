import ArgumentParser

/// The options of commands about one profile's login.
struct ProfileOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The profile; default: 'default'.", valueName: "name"))
  var profile: String?

  @Option(
    name: .customLong("graph-url"),
    help: ArgumentHelp(
      "The address of the Graph API, such as a sandbox; each host has its own logins.",
      valueName: "url"))
  var graphURL: String?

  func settings() throws -> Settings { try Settings(profile: profile, graphURL: graphURL) }
}
