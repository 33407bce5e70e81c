import ArgumentParser
import GraphAPI
import GraphFlow
import JSONPath

/// `graphflow permissions request`: a login that asks for more permissions.
struct PermissionsRequestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request", abstract: "Ask the person for permissions, and keep the new token.",
    discussion: """
      Logs in as `graphflow login` does, and asks for these permissions beside those that the \
      profile's login has. One that was declined before is asked for again. Ends with 77 if the \
      person does not grant all of them. If the login has all of them, nothing is asked.

      Example: the profile 'press' needs one more permission:

        graphflow permissions request pages_manage_posts --profile press
      """)

  @Argument(help: .value("name", "The permissions."), completion: .permissions)
  var names: [String]

  @OptionGroup var options: ProfileOptions

  @Option(help: .value("n", "The app's id."))
  var appID: String?

  @Option(help: "How to print the code and the login.")
  var format: OutputFormat = .text

  func validate() throws { try names.checkPermissionNames(of: "permissions request") }

  func run() throws {
    let wanted = names.permissionNames
    for name in wanted {
      guard let mistake = KnownPermissions.mistake(in: name) else { continue }
      throw CommandFailure(.usage, mistake.problem, hint: mistake.hint)
    }
    var settings = try options.settings()
    let profile = settings.profile ?? "default"
    let store = try LoginStore.required()
    try store.check(profile, at: settings.graphURL)
    try PersonLogin.refuseOtherSource(of: profile, settings)
    let (scopes, isCurrent) = try present(of: profile, settings, store)
    let added = wanted.filter { !scopes.granted.contains($0) }
    guard !added.isEmpty || !isCurrent else { return try printAlreadyGranted(profile) }
    let client = try AppClient(flag: appID, settings: settings)
    settings.choose(app: client.id)
    let login = try PersonLogin(
      profile: profile, scopes: scopes.granted + added,
      asksAgain: added.contains(where: scopes.declined.contains), settings: settings,
      store: store, format: format
    ).run(.person(client))
    let isComplete = wanted.allSatisfy { login?.facts.scopes.granted.contains($0) == true }
    // The login has printed what was not granted.
    if !isComplete { throw CommandFailure.silent(.notPermitted) }
  }

  private func printAlreadyGranted(_ profile: String) throws {
    switch format {
    case .text:
      Terminal.notify("the profile '\(Untrusted.shown(profile))' has all of them already")
    case .json: try Terminal.printJSON(["status": "granted", "profile": .string(profile)])
    }
  }

  /// The permissions of the profile's login: as Graph reports them, else as they were stored.
  private func present(
    of profile: String, _ settings: Settings, _ store: LoginStore
  ) throws -> (scopes: GrantedScopes, isCurrent: Bool) {
    let stored = (try? store.login(of: profile, at: settings.graphURL))?.facts.scopes
    guard let stored else { return (GrantedScopes(), false) }
    do { return (try options.facts()?.scopes ?? stored, true) } catch {
      let failure = CommandFailure(error)
      guard ![.interrupted, .terminated].contains(failure.status) else { throw failure }
      return (stored, false)
    }
  }
}
