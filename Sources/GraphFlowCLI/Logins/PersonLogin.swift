import GraphAPI
import JSONPath

/// A login that a person decides on: it waits for the person, stores the token, and prints the
/// login.
struct PersonLogin: Sendable {
  let profile: String
  /// The name or the id of the page whose token is kept; nil: the person's is.
  var page: String?
  /// The permissions to ask for.
  let scopes: [String]
  /// Whether the person is asked again for what was declined before.
  var asksAgain = false
  let settings: Settings
  let store: LoginStore
  /// How code and login are printed; nil: for people, without a result on standard output.
  let format: OutputFormat?

  /// Where the token of a login comes from.
  enum Source: Sendable {
    case given(AccessToken)
    /// It is exchanged for that of a login, before that one ends.
    case kept(StoredLogin)
    /// The app gets it when the person has decided.
    case person(AppClient)
    /// The same, in a browser on this machine.
    case browser(BrowserLogin)

    /// The id of the app that gets the token.
    var app: String? {
      switch self {
      case .person(let client): client.id
      case .browser(let browser): browser.appID
      case .given, .kept: nil
      }
    }
  }

  /// Stores the token of a source.
  @discardableResult func run(_ source: Source) throws -> StoredLogin? {
    do {
      let status = try Foreground.run { _ in
        _ = try await login(source)
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
    return try? store.login(of: profile, at: settings.graphURL)
  }

  /// Stores the token of a source, inside of other work.
  func login(_ source: Source) async throws -> StoredLogin {
    let old = try? store.login(of: profile, at: settings.graphURL)
    return try await GraphClient.with(settings) { graph in
      let new = NewLogin(
        profile: profile, page: page, client: graph, settings: settings, store: store)
      let login =
        switch source {
        case .given(let token): try await new.keep(given: token)
        case .kept(let login): try await new.refresh(login)
        case .person(let app): try await new.keep(try await token(of: app, by: graph))
        case .browser(let browser):
          try await new.keep(try await browser.token(for: self, by: graph))
        }
      try finish(login, replacing: old, settings.notifier)
      return login
    }
  }

  /// Refuses a profile with another source, which would never use the login.
  static func refuseOtherSource(of profile: String, _ settings: Settings) throws {
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
    let code = try await flow.requestCode(scopes: scopes, asksAgain: asksAgain)
    ProcessRedactor.record(code.code)
    try printCode(code)
    let grant = try await flow.token(for: code)
    ProcessRedactor.record(grant.token)
    return grant
  }

  /// Prints the code: for people on standard error, for programs as a result.
  private func printCode(_ code: DeviceCode) throws {
    switch format {
    case .text, nil:
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
    case .text, nil:
      let text = identity.text(now: WallClock.seconds())
      if format == nil { Terminal.notify(text) } else { try Terminal.printResult(text) }
      if !missing.isEmpty {
        Terminal.warn(
          "not granted: \(missing.joined(separator: ", ")); \(identity.request(for: missing))")
      }
    case .json:
      var facts: JSON.Object = ["status": "logged_in"]
      for (name, value) in identity.json(now: WallClock.seconds()) { facts[name] = value }
      facts["not_granted"] = .array(missing.map(JSON.string))
      try Terminal.printJSON(.object(facts))
    }
  }
}
