import ArgumentParser
import GraphAPI
import JSONPath

/// `graphflow login`: obtains a token with a code that a person enters elsewhere, and keeps it.
struct LoginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Log in to an app, and keep the token for a profile.",
    discussion: """
      Shows an address and a code, and waits. A person enters the code there, on any device, and \
      decides about the permissions. The app's id comes from --app-id, GRAPHFLOW_APP_ID or \
      app_id in the configuration, its client token from GRAPHFLOW_CLIENT_TOKEN. With \
      GRAPHFLOW_APP_SECRET the token is exchanged for one that lives for about sixty days.

      Example: log in, and ask for two permissions:

        graphflow login --scope pages_show_list,pages_manage_posts

      Example: keep a token that you have already:

        pass show facebook/press | graphflow login --profile press --token-stdin

      Example: keep the token of a page of the person who has logged in, as the profile 'page':

        graphflow login --page "Harbour Bakery"

      Example: replace the kept token by a new one before it ends:

        graphflow login --refresh
      """)

  @OptionGroup var options: ProfileOptions

  @Option(help: .value("a,b", "Permissions to ask for, with commas between them; may be repeated."))
  var scope: [String] = []

  @Option(help: .value("n", "The app's id."))
  var appID: String?

  @Flag(
    name: .customLong("token-stdin"), help: "Keep the token on standard input, if Graph accepts it."
  )
  var readsToken = false

  @Option(
    help: .value(
      "name", "Keep the token of this page, by its name or id, instead of the person's.",
      discussion: """
        The profile is 'page' unless --profile names another. The person is that of the profile \
        'default'; without a token of it, the person logs in.
        """))
  var page: String?

  @Flag(
    help: """
      Exchange the kept token, before it ends, for a new one; needs GRAPHFLOW_APP_SECRET.
      """)
  var refresh = false

  @Option(help: "How to print the code and the login.")
  var format: OutputFormat = .text

  private var scopes: [String] { scope.permissionNames }

  func validate() throws {
    try scope.checkPermissionNames(of: "--scope")
    try require(
      !(readsToken && !scope.isEmpty),
      "--token-stdin and --scope exclude each other: the token has its permissions")
    try require(
      !refresh || !readsToken && scope.isEmpty && page == nil,
      "--refresh does not go with --token-stdin, --scope or --page")
  }

  func run() throws {
    var settings = try options.settings()
    let profile = options.profile ?? page.map { _ in "page" } ?? settings.profile ?? "default"
    let store = try LoginStore.required()
    try store.check(profile, at: settings.graphURL)
    try refuseOtherSource(of: profile, settings)
    let given = readsToken ? try LoginCommand.tokenFromInput() : try person(for: profile, settings)
    let old = Result { [settings] in try store.login(of: profile, at: settings.graphURL) }
    let refreshed = refresh ? try old.get() : nil
    let client =
      given == nil && !refresh ? try AppClient(flag: appID, settings: settings) : nil
    if let id = client?.id ?? appID ?? (settings.appID == nil ? refreshed?.facts.app?.id : nil) {
      settings.choose(app: id)
    }
    do {
      let status = try Foreground.run { [settings] _ in
        try await GraphClient.with(settings) { graph in
          let new = NewLogin(
            profile: profile, page: page, client: graph, settings: settings, store: store)
          let login =
            if let refreshed {
              try await new.refresh(refreshed)
            } else if let given {
              try await new.keep(given: given)
            } else if let client {
              try await new.keep(try await token(of: client, by: graph))
            } else { throw CommandFailure(.internalError, "there is no token to keep") }
          try finish(login, replacing: try? old.get(), settings.notifier)
        }
        return .succeeded
      }
      if status != .succeeded { throw CommandFailure(status, "stopped: no login was stored") }
    } catch {
      let failure = CommandFailure(error)
      settings.notifier?.sendFailure(of: profile, failure)
      guard [.interrupted, .terminated].contains(failure.status) else { throw failure }
      Terminal.notify(failure.message)
      throw CommandFailure.silent(failure.status)
    }
  }

  /// The token of the person whose page is to be kept; nil if somebody has to log in.
  private func person(for profile: String, _ settings: Settings) throws -> AccessToken? {
    guard page != nil, scope.isEmpty, profile != "default",
      settings.tokens.source(of: "default") != nil
    else { return nil }
    return try settings.tokens.token(for: "default")
  }

  /// Refuses a profile with another source, which would never use the login.
  private func refuseOtherSource(of profile: String, _ settings: Settings) throws {
    switch settings.tokens.source(of: profile) {
    case nil, .login?: break
    case .environment(TokenDirectory.variable)?:
      Terminal.warn("\(TokenDirectory.variable) is set, and it overrides the login")
    case let source?:
      throw CommandFailure(
        .misconfigured,
        "the configuration takes the token of the profile '\(profile)' from \(source.label)",
        hint: "choose another --profile, or write {login: true} for it in the configuration")
    }
  }

  private func token(of app: AppClient, by graph: GraphClient) async throws -> TokenGrant {
    let flow = DeviceLoginFlow(
      client: graph, appClient: app.token, clock: ContinuousClock(), notify: Terminal.warn)
    let code = try await flow.requestCode(scopes: scopes)
    ProcessRedactor.record(code.code)
    try printCode(code)
    let grant = try await flow.token(for: code)
    ProcessRedactor.record(grant.token)
    return grant
  }

  /// Prints the code: for people on standard error, for programs as a result.
  private func printCode(_ code: DeviceCode) throws {
    switch format {
    case .text:
      Terminal.notify(
        Untrusted.shown(
          """
          Open \(code.verificationURI) on any device and enter the code \(code.userCode)
          or go to \(code.directURI)
          The code is valid for \(code.lifetime / 60) minutes; waiting …
          """))
    case .json:
      try Terminal.printJSON([
        "status": "waiting", "user_code": .string(code.userCode),
        "verification_uri": .string(code.verificationURI),
        "verification_uri_complete": .string(code.directURI),
        "expires_in": .number(.init(code.lifetime)), "interval": .number(.init(code.interval)),
      ])
    }
  }

  /// Prints a new login, and sends its events.
  private func finish(
    _ login: StoredLogin, replacing old: StoredLogin?, _ notifier: Notifier?
  ) throws {
    let identity = Identity(
      profile: login.profile, source: .login, graphURL: login.graphURL, facts: login.facts)
    // The login is stored, whatever becomes of standard output.
    defer {
      var facts = identity.json(now: WallClock.seconds())
      notifier?.send(.loggedIn, facts)
      if let user = old?.facts.user, let now = login.facts.user, user.id != now.id {
        facts["previous_user"] = user.json
        notifier?.send(.userChanged, facts)
        facts["previous_user"] = nil
      }
      for scope in old?.facts.scopes.granted ?? []
      where login.facts.user != nil && !login.facts.scopes.granted.contains(scope) {
        facts["permission"] = .string(scope)
        notifier?.send(.permissionLost, facts)
      }
    }
    try printLogin(login, identity)
  }

  /// Prints the login, and the permissions that were asked for and not granted.
  private func printLogin(_ login: StoredLogin, _ identity: Identity) throws {
    let granted = login.facts.scopes.granted
    let missing = login.facts.user == nil ? [] : scopes.filter { !granted.contains($0) }
    switch format {
    case .text:
      try Terminal.printResult(identity.text(now: WallClock.seconds()))
      if !missing.isEmpty { Terminal.warn("not granted: \(missing.joined(separator: ", "))") }
    case .json:
      var facts: JSON.Object = ["status": "logged_in"]
      for (name, value) in identity.json(now: WallClock.seconds()) { facts[name] = value }
      facts["not_granted"] = .array(missing.map(JSON.string))
      try Terminal.printJSON(.object(facts))
    }
  }

  private static func tokenFromInput() throws -> AccessToken {
    let bytes = try FileReading.bytes(of: "-", limit: TokenSource.limit)
    guard let token = AccessToken(TokenSource.trimmed(bytes)) else {
      throw CommandFailure(
        .invalid, "standard input holds no token", hint: "a token is one word without white space")
    }
    ProcessRedactor.record(token)
    return token
  }
}
