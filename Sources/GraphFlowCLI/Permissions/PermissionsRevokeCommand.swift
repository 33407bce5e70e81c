import ArgumentParser
import GraphAPI
import GraphFlow

/// `graphflow permissions revoke`: takes permissions from the app.
struct PermissionsRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke permissions of the app at Facebook.",
    discussion: """
      Revokes the permissions of the person whose token the profile has, for all tokens of the \
      app and on all machines. The token stays valid; only what needs the permissions fails. It \
      asks for a confirmation on the terminal; without a terminal --yes is needed.

      Example: the app needs to write comments no longer:

        graphflow permissions revoke pages_manage_engagement --yes
      """)

  @Argument(help: .value("name", "The permissions."), completion: .permissions)
  var names: [String]

  @OptionGroup var options: ProfileOptions

  @Flag(help: "Do not ask for a confirmation.")
  var yes = false

  func validate() throws { try names.checkPermissionNames(of: "permissions revoke") }

  func run() throws {
    let names = names.permissionNames
    let settings = try options.settings()
    let profile = settings.profile ?? "default"
    let token = try settings.tokens.token(for: profile)
    try confirm(names, of: profile)
    try Foreground.run { _ in
      try await GraphClient.with(settings) { client in
        for name in names {
          try await client.revoke(name, of: token, settings.appSecret)
          Terminal.notify("revoked \(name) of the profile '\(Untrusted.shown(profile))'")
        }
      }
      return .succeeded
    }
    .throwUnlessSucceeded()
    // A login that has the token remembers what it has.
    guard let store = LoginStore.standard,
      var login = try? store.login(of: profile, at: settings.graphURL), login.token == token
    else { return }
    login.facts.scopes.granted.removeAll(where: names.contains)
    login.facts.scopes.declined += names.filter { !login.facts.scopes.declined.contains($0) }
    try store.save(login)
  }

  private func confirm(_ names: [String], of profile: String) throws {
    guard !yes else { return }
    let list = names.joined(separator: ", ")
    switch try Terminal.confirms("revoke \(list) of '\(Untrusted.shown(profile))'?") {
    case nil:
      throw CommandFailure(
        .usage, "nobody can confirm this: there is no terminal", hint: "add --yes")
    case false?: throw CommandFailure(.failed, "not confirmed: nothing was revoked")
    case true?: break
    }
  }
}
