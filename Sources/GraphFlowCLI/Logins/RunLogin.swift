import GraphAPI
import GraphFlow

/// `run --login`: asks the person for permissions, before a run for those that the file needs, after
/// it for those that Graph has named as missing.
struct RunLogin: Sendable {
  private let settings: Settings
  private let workflow: Workflow
  private let store: LoginStore
  /// The profiles and permissions that were asked for: each one is asked for once.
  private var asked: Set<[String]> = []

  /// Refuses profiles whose tokens no login can replace.
  init(for workflow: Workflow, _ settings: Settings) throws {
    (self.workflow, self.settings, store) = (workflow, settings, try LoginStore.required())
    for (_, profile) in profiles {
      switch settings.tokens.source(of: profile) {
      case .login?, nil: try store.check(profile, at: settings.graphURL)
      case let source?:
        throw CommandFailure(
          .misconfigured,
          "--login: the token of the profile '\(profile)' comes from \(source.label), and no "
            + "login replaces it; nothing was sent",
          hint: "run it without --login, or give the profile no token, so that a login has it")
      }
    }
  }

  /// The profiles of the file, and those that are used in their place.
  private var profiles: [(name: String, used: String)] {
    Set(workflow.requests.compactMap(workflow.profile(behind:))).sorted().map { name in
      (name, name == workflow.token ? settings.profile ?? name : name)
    }
  }

  /// Asks for what the file needs and the tokens of its profiles do not allow.
  mutating func prepare() async throws {
    for (name, profile) in profiles {
      let facts = try await facts(of: profile)
      let needed = PermissionUse.lacking(
        in: workflow, of: name, besides: facts?.scopes.granted ?? [])
      if facts == nil || !needed.isEmpty { _ = try await ask(profile, for: needed, facts) }
    }
  }

  /// Asks for what a run has lacked; returns whether something was granted.
  mutating func grants(to result: RunResult) async throws -> Bool {
    var lacking: [String: [String]] = [:]
    for reading in result.lacking {
      // The names are Graph's.
      guard (try? [reading.permission].checkPermissionNames(of: "")) != nil,
        let profile = profile(of: reading.token), !asked.contains([profile, reading.permission])
      else { continue }
      lacking[profile, default: []].append(reading.permission)
    }
    var isGranted = false
    for (profile, names) in lacking.sorted(by: { $0.key < $1.key }) {
      let facts = try await facts(of: profile)
      let missing = names.filter { facts?.scopes.granted.contains($0) != true }
      if !missing.isEmpty, try await ask(profile, for: missing, facts) { isGranted = true }
    }
    return isGranted
  }

  /// The profile that a token of a report belongs to: its name, or that behind a reference.
  private func profile(of token: String) -> String? {
    let profiles = profiles
    if let known = profiles.first(where: { $0.used == token }) { return known.used }
    let name = workflow.profile(behindToken: token)
    return profiles.first { $0.name == name }?.used
  }

  /// What Graph reports about a profile's token; nil if there is none that it accepts.
  private func facts(of profile: String) async throws -> TokenFacts? {
    guard settings.tokens.source(of: profile) != nil else { return nil }
    do {
      let token = try settings.tokens.token(for: profile)
      return try await GraphClient.with(settings) {
        try await TokenFacts(of: token, by: $0, settings)
      }
    } catch let failure as CommandFailure where failure.status == .notPermitted {
      return nil
    }
  }

  /// Waits for a login with permissions besides those of the token; returns whether one was granted.
  private mutating func ask(
    _ profile: String, for names: [String], _ facts: TokenFacts?
  ) async throws -> Bool {
    for name in names { asked.insert([profile, name]) }
    // The token of a page or an app; of one without a list of permissions the kind is unknown.
    if let facts, facts.type ?? "USER" != "USER" || facts.scopes == GrantedScopes() {
      Terminal.warn(
        "--login: the token of the profile '\(profile)' is not a person's, so nobody is asked for "
          + names.joined(separator: ", "))
      return false
    }
    let stored = try? store.login(of: profile, at: settings.graphURL).facts
    let scopes = facts?.scopes ?? stored?.scopes ?? GrantedScopes()
    var settings = settings
    if settings.appID == nil, let app = facts?.app ?? stored?.app { settings.choose(app: app.id) }
    let app = try AppClient(flag: nil, settings: settings)
    settings.choose(app: app.id)
    let reason = names.isEmpty ? "a login" : names.joined(separator: ", ")
    Terminal.notify(
      Untrusted.shown("'\(workflow.name)' needs \(reason) of the profile '\(profile)'"))
    let login = try await PersonLogin(
      profile: profile, scopes: scopes.granted + names.filter { !scopes.granted.contains($0) },
      asksAgain: names.contains(where: scopes.declined.contains), settings: settings,
      store: store, format: nil
    ).login(.person(app))
    return names.contains(where: login.facts.scopes.granted.contains)
  }
}
