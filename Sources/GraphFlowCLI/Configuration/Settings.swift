import GraphAPI
import GraphFlow

/// Everything that a request needs beside itself: flags over the environment over the configuration.
struct Settings: Sendable {
  /// Where the Graph API is.
  let graphURL: GraphURL
  /// The proxy on the way there, and the certificates that are trusted.
  let route: HTTPRoute
  /// The Graph version for what names none; `nil` leaves it to the tool.
  let version: GraphVersion?
  /// The app secret, which turns `appsecret_proof` on.
  let appSecret: AppSecret?
  /// The app's own token, where both its id and its secret are known.
  ///
  /// Source: Facebook Login, "Access Tokens", app tokens.
  private(set) var appToken: AccessToken?
  /// The app's id, from the environment or the configuration.
  private(set) var appID: String?
  /// The profile to use instead of the workflow's.
  let profile: String?
  /// The profiles.
  let tokens: TokenDirectory

  /// Puts the settings together; reads no token.
  ///
  /// - Throws: a ``CommandFailure``: ``ExitStatus/usage`` for a flag, ``ExitStatus/misconfigured``
  ///   for the rest.
  init(_ options: GraphOptions) throws {
    try self.init(profile: options.profile, graphURL: options.graphURL)
  }

  /// Puts the settings together for what two flags say; reads no token.
  ///
  /// - Throws: as ``init(_:)``.
  init(profile: String?, graphURL flag: String?) throws {
    let configuration = try Configuration.load()
    let url: GraphURL
    if let flag {
      guard let given = GraphURL(flag) else {
        throw CommandFailure(.usage, "--graph-url \(Settings.urlRule)")
      }
      url = given
    } else if let variable = Environment.value("GRAPHFLOW_GRAPH_URL") {
      guard let given = GraphURL(variable) else {
        throw CommandFailure(.misconfigured, "GRAPHFLOW_GRAPH_URL \(Settings.urlRule)")
      }
      url = given
    } else {
      url = configuration.graphURL ?? .standard
    }
    try self.init(
      configuration,
      graphURL: url,
      version: configuration.version,
      profile: profile ?? Environment.value("GRAPHFLOW_PROFILE")
    )
  }

  /// The settings with which a run was started; secrets are taken from where they are now.
  ///
  /// - Parameters:
  ///   - start: how the run started.
  ///   - configured: where flag, environment or configuration say that the Graph API is. A token is
  ///     only sent there: the journal alone decides about no host.
  /// - Throws: a ``CommandFailure``: ``ExitStatus/invalid`` for a run that cannot go on there,
  ///   ``ExitStatus/misconfigured`` for the rest.
  init(resuming start: RunStart, at configured: GraphURL) throws {
    guard !start.isRehearsal else {
      throw CommandFailure(
        .invalid,
        "the run \(start.id) was on a sandbox inside the process, which is gone with it",
        hint: "run the workflow again"
      )
    }
    guard let url = GraphURL(start.graphURL), let version = GraphVersion(start.graphVersion) else {
      throw CommandFailure(.invalid, "the journal of \(start.id) names no Graph API")
    }
    guard url == configured else {
      throw CommandFailure(
        .invalid,
        "the run \(start.id) was sent to \(url), but \(configured) is configured",
        hint: "if its requests and your token belong there: --graph-url \(url)"
      )
    }
    try self.init(
      try Configuration.load(),
      graphURL: url,
      version: version,
      profile: start.profile
    )
  }

  private init(
    _ configuration: Configuration,
    graphURL: GraphURL,
    version: GraphVersion?,
    profile: String?
  ) throws {
    self.graphURL = graphURL
    self.route = try HTTPRoute(configuration)
    self.version = version
    self.appSecret = try Settings.environmentSecret()
    self.profile = profile
    self.tokens = .profiles(configuration.profiles, at: graphURL)
    if let id = Environment.value("GRAPHFLOW_APP_ID") ?? configuration.appID { choose(app: id) }
  }

  /// The settings of a run against a sandbox inside the process.
  init(sandbox url: GraphURL, tokens: [String: AccessToken]) {
    self.graphURL = url
    self.route = HTTPRoute()
    self.version = nil
    self.appSecret = nil
    self.profile = nil
    self.tokens = .sandbox(tokens)
  }

  private static func environmentSecret() throws -> AppSecret? {
    guard let text = Environment.value("GRAPHFLOW_APP_SECRET") else { return nil }
    guard let secret = AppSecret(text) else {
      throw CommandFailure(.misconfigured, "GRAPHFLOW_APP_SECRET does not hold an app secret")
    }
    ProcessRedactor.record(secret)
    return secret
  }

  /// Takes the app with this id instead of the one that environment or configuration name.
  mutating func choose(app id: String) {
    appID = id
    appToken = appSecret?.appToken(ofApp: id)
  }

  /// Whether requests go to a sandbox inside the process.
  var isSandbox: Bool {
    if case .sandbox = tokens { true } else { false }
  }

  /// What is wrong with an address, without the address: it may hold a password or a token.
  private static let urlRule = "is not https://HOST[:PORT], nor http:// on a loopback address"
}

/// Finds a profile's token when the first request needs it, never before.
enum TokenDirectory: Sendable {
  /// The profiles of the configuration, the environment's for `default`, and the stored logins, for
  /// requests to one host.
  case profiles([String: TokenSource], at: GraphURL)
  /// The tokens of a sandbox; every other profile is the sandbox's user.
  case sandbox([String: AccessToken])

  /// The variable that holds the token of the profile `default`.
  static let variable = "GRAPHFLOW_ACCESS_TOKEN"

  /// The token of a profile.
  ///
  /// - Throws: a ``CommandFailure`` that says how to set one.
  func token(for profile: String) throws -> AccessToken {
    switch self {
    case .sandbox(let tokens):
      guard let token = tokens[profile] ?? tokens["default"] else {
        throw CommandFailure(.internalError, "the sandbox has no token")
      }
      return token
    case .profiles(_, let url):
      guard let source = source(of: profile) else { throw TokenDirectory.missing(profile, at: url) }
      return try source.token(of: profile, at: url)
    }
  }

  /// Where a profile's token comes from: what the configuration says, else a stored login; nil if
  /// there is neither, or a sandbox gives it.
  func source(of profile: String) -> TokenSource? {
    guard case .profiles(let sources, _) = self else { return nil }
    if TokenDirectory.isFromEnvironment(profile) { return .environment(TokenDirectory.variable) }
    if let source = sources[profile] { return source }
    return LoginStore.standard?.hasLogin(for: profile) == true ? .login : nil
  }

  private static func isFromEnvironment(_ profile: String) -> Bool {
    profile == "default" && Environment.value(variable) != nil
  }

  /// Refuses what is wrong with the profiles of a run whatever their tokens are.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/misconfigured``.
  func check(_ names: some Sequence<String>) throws {
    guard case .profiles(_, let url) = self else { return }
    for name in names { try source(of: name)?.check(of: name, at: url) }
  }

  /// The token of a profile, for a run, which records a failure rather than ending with it.
  func token(forRunWith profile: String) throws(TokenUnavailable) -> AccessToken {
    do { return try token(for: profile) } catch {
      let failure = CommandFailure(error)
      throw TokenUnavailable(message: failure.message, hint: failure.hint ?? "")
    }
  }

  private static func missing(_ profile: String, at url: GraphURL) -> CommandFailure {
    let place = Configuration.path ?? "graphflow/config.yaml in the XDG config directory"
    guard profile == "default" else {
      return CommandFailure(
        .notPermitted,
        "there is no access token: no profile is named '\(profile)'",
        hint: """
          \(LoginStore.command(for: profile, at: url)), or name it in \(place), such as: \
          profiles: {\(profile): {env: MY_TOKEN}}
          """
      )
    }
    return CommandFailure(
      .notPermitted,
      "there is no access token",
      hint: """
        graphflow login, or set \(variable), or a profile 'default' in \(place), or try \
        --sandbox, which needs none
        """
    )
  }
}
