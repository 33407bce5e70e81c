import ArgumentParser
import GraphAPI
import JSONPath

/// `graphflow logout`: removes a stored login, and with `--revoke` ends it at Graph, too.
struct LogoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Remove a stored login; with --revoke also end it at Facebook.",
    discussion: """
      Without --revoke nothing is sent, and the token stays valid until it ends. With --revoke the \
      person's permissions for the app are revoked first. That ends every token that the person has \
      given the app, also those of other profiles and machines. If revoking fails, the login is kept.

      Example:

        graphflow logout --profile press --revoke
      """)

  @OptionGroup var options: ProfileOptions

  @Flag(help: "First revoke all permissions of the app at Facebook.")
  var revoke = false

  @Flag(help: "With --revoke: remove the login even if revoking fails.")
  var force = false

  func validate() throws {
    try require(
      revoke || !force, "--force needs --revoke: without --revoke a login is always removed")
  }

  func run() throws {
    let settings = try options.settings()
    let profile = settings.profile ?? "default"
    let store = try LoginStore.required()
    guard store.hasLogin(for: profile, at: settings.graphURL) else {
      Terminal.notify(
        "the profile '\(Untrusted.shown(profile))' has no stored login for \(settings.graphURL)")
      return
    }
    if revoke {
      do {
        let login = try store.login(of: profile, at: settings.graphURL)
        try Foreground.run { _ in
          try await GraphClient.with(settings) {
            try await $0.revoke(nil, of: login.token, settings.appSecret)
          }
          return .succeeded
        }
        .throwUnlessSucceeded()
      } catch {
        var failure = CommandFailure(error)
        guard force, failure.status != .interrupted, !failure.message.isEmpty else {
          failure.hint = """
            the login is kept; --force removes it nevertheless, and the app can be removed in \
            Facebook's settings under Apps and Websites
            """
          throw failure
        }
        Terminal.warn(failure.message)
      }
    }
    _ = try store.remove(profile, at: settings.graphURL)
    settings.notifier?.send(
      .loggedOut,
      [
        "profile": .string(profile), "graph_url": .string("\(settings.graphURL)"),
        "revoked": .bool(revoke),
      ])
    Terminal.notify("removed the login of the profile '\(Untrusted.shown(profile))'")
  }
}
