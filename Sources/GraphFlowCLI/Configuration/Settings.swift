import GraphAPI
import GraphFlow

/// The settings of requests: flags override the environment, which overrides the configuration.
struct Settings: Sendable {
  let graphURL: GraphURL
  /// The proxy, and the certificates that are trusted.
  let route: HTTPRoute
  /// The Graph version for workflows that name none; `nil` for the default of the tool.
  let version: GraphVersion?
  /// The app secret, which turns `appsecret_proof` on.
  let appSecret: AppSecret?
  /// The app's own token, if both its id and its secret are known.
  ///
  /// Source: Facebook Login, "Access Tokens", app tokens.
  private(set) var appToken: AccessToken?
  /// The app's id, from the environment or the configuration.
  private(set) var appID: String?
  let profile: String?
  let tokens: TokenDirectory
  /// How long runs are kept; a sandbox inside the process reads no configuration.
  private(set) var retention = Retention()
  /// The program that gets events, if there is one.
  private(set) var notifier: Notifier?
  /// What the machine allows to be sent; a sandbox inside the process gets everything.
  private(set) var requestGuard = RequestGuard()
  /// Whether the world of a sandbox is kept for later runs.
  private var isKept = false

  /// Collects the settings; reads no token.
  init(profile: String?, graphURL flag: String?) throws {
    let configuration = try Configuration.load()
    try self.init(
      configuration, graphURL: try Settings.url(flag, configuration),
      version: configuration.version, profile: profile ?? Environment.value("GRAPHFLOW_PROFILE"))
  }

  /// The address of the Graph API.
  fileprivate static func url(
    _ flag: String?, _ configuration: Configuration
  ) throws -> GraphURL {
    if let flag { return try url(flag, from: "--graph-url", else: .usage) }
    let variable = "GRAPHFLOW_GRAPH_URL"
    return try Environment.value(variable).map {
      try url($0, from: variable, else: .misconfigured)
    } ?? configuration.graphURL ?? .standard
  }

  /// Reads an address; the message does not show it, because it may hold a password or a token.
  private static func url(
    _ text: String, from source: String, else status: ExitStatus
  ) throws -> GraphURL {
    if let url = GraphURL(text) { return url }
    throw CommandFailure(
      status, "\(source) must be https://HOST[:PORT], or http:// on a loopback address")
  }

  /// The settings with which a run was started; secrets come from their current sources.
  ///
  /// A token is sent only to the configured address: the journal alone never chooses a host.
  init(resuming start: RunStart, at configured: GraphURL) throws {
    guard !start.isSandboxRun else {
      throw CommandFailure(
        .invalid, "the run \(start.id) used a sandbox inside the process, and its world is gone",
        hint: "run the workflow again")
    }
    guard let url = GraphURL(start.graphURL), let version = GraphVersion(start.graphVersion) else {
      throw CommandFailure(.invalid, "the journal of the run \(start.id) names no Graph API")
    }
    guard url == configured else {
      throw CommandFailure(
        .invalid, "the run \(start.id) was sent to \(url), but \(configured) is configured",
        hint: "if its requests and your token belong to that host: --graph-url \(url)")
    }
    try self.init(try Configuration.load(), graphURL: url, version: version, profile: start.profile)
  }

  private init(
    _ configuration: Configuration, graphURL: GraphURL, version: GraphVersion?, profile: String?
  ) throws {
    self.graphURL = graphURL
    self.route = try HTTPRoute(configuration)
    self.version = version
    self.appSecret = try Environment.value("GRAPHFLOW_APP_SECRET").map { text in
      guard let secret = AppSecret(text) else {
        throw CommandFailure(.misconfigured, "GRAPHFLOW_APP_SECRET does not hold an app secret")
      }
      ProcessRedactor.record(secret)
      return secret
    }
    self.profile = profile
    self.tokens = .profiles(configuration.profiles, at: graphURL)
    (self.retention, self.notifier) = (configuration.retention, configuration.notifier)
    self.requestGuard = configuration.requestGuard.at(graphURL)
    if let id = Environment.value("GRAPHFLOW_APP_ID") ?? configuration.appID { choose(app: id) }
  }

  init(
    sandbox url: GraphURL, tokens: [String: AccessToken], profile: String?, isKept: Bool = false
  ) {
    self.isKept = isKept
    self.graphURL = url
    self.route = HTTPRoute()
    self.version = nil
    self.appSecret = nil
    self.profile = profile
    self.tokens = .sandbox(tokens)
  }

  /// Uses the app with this id instead of the one in the environment or the configuration.
  mutating func choose(app id: String) {
    appID = id
    appToken = appSecret?.appToken(ofApp: id)
  }

  /// Whether the world ends with the run.
  var isSandbox: Bool { if case .sandbox = tokens { !isKept } else { false } }
}

extension RequestGuard {
  /// The guard of requests to the configured address.
  static func configured() throws -> RequestGuard {
    let configuration = try Configuration.load()
    return configuration.requestGuard.at(try Settings.url(nil, configuration))
  }

  /// Refuses a workflow with a request that would be refused whatever its values are.
  func check(_ workflow: Workflow) throws {
    let refusals = refusals(of: workflow)
    guard let (request, reason) = refusals.first else { return }
    let place = workflow.source.place(of: request.location)
    let others = refusals.count == 1 ? "" : " (and \(refusals.count - 1) more)"
    throw CommandFailure(
      .misconfigured,
      "the guard of this machine refuses '\(request.displayName)' "
        + "(\(place.path):\(place.line))\(others): \(reason); nothing was sent",
      hint: "the rules are `allow` and `deny` in the configuration; --sandbox has none")
  }
}

extension HTTPRoute {
  private static let certificateLimit = 16 << 20

  /// The route that the environment and the configuration name.
  ///
  /// `https_proxy` and `no_proxy` override `HTTPS_PROXY` and `NO_PROXY`, as with curl. `HTTP_PROXY`
  /// is not read: plain HTTP never goes through a proxy. Messages show neither user nor password.
  init(_ configuration: Configuration) throws {
    self.init()
    if let (name, text) = HTTPRoute.variable("https_proxy") {
      guard let proxy = HTTPProxy(text) else {
        throw CommandFailure(
          .misconfigured, "\(name) must be http://[USER:PASSWORD@]HOST[:PORT]",
          hint: "proxies that are reached by TLS or SOCKS are not supported")
      }
      for secret in proxy.secrets { ProcessRedactor.record(secret) }
      self.proxy = proxy
    }
    if let (_, list) = HTTPRoute.variable("no_proxy") { exemptions = ProxyExemptions(list) }
    trust = try HTTPRoute.certificates(configuration.certificateFile)?.trusted
  }

  /// The certificates, in PEM, of the file that `SSL_CERT_FILE` names, or else of this one; nil: the
  /// machine's are trusted.
  static func certificates(
    _ file: String? = nil
  ) throws -> (pem: [UInt8], trusted: TrustedCertificates)? {
    let source =
      Environment.value("SSL_CERT_FILE").map { ("SSL_CERT_FILE", $0) }
      ?? file.map { ("ca_file", Environment.expanded($0)) }
    guard let (name, path) = source else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try FileReading.bytes(of: path, limit: HTTPRoute.certificateLimit)
    } catch let failure as CommandFailure {
      throw CommandFailure(.misconfigured, "\(name): \(failure.message)")
    }
    guard let trusted = TrustedCertificates(pem: bytes) else {
      throw CommandFailure(
        .misconfigured, "\(name): '\(path)' holds no readable certificates",
        hint: "certificates must be in PEM format: -----BEGIN CERTIFICATE-----")
    }
    return (bytes, trusted)
  }

  private static func variable(_ name: String) -> (name: String, value: String)? {
    for name in [name, name.uppercased()] {
      if let value = Environment.value(name) { return (name, value) }
    }
    return nil
  }
}

/// Obtains a profile's token when the first request needs it, never before.
enum TokenDirectory: Sendable {
  /// The profiles of the configuration, the environment and the stored logins, for one host.
  case profiles([String: TokenSource], at: GraphURL)
  /// The tokens of a sandbox; every other profile gets the token of its user.
  case sandbox([String: AccessToken])

  /// The variable that holds the token of the profile `default`.
  static let variable = "GRAPHFLOW_ACCESS_TOKEN"

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

  /// Where a profile's token comes from; nil if it comes from nowhere, or from a sandbox.
  func source(of profile: String) -> TokenSource? {
    guard case .profiles(let sources, _) = self else { return nil }
    if profile == "default", Environment.value(TokenDirectory.variable) != nil {
      return .environment(TokenDirectory.variable)
    }
    if let source = sources[profile] { return source }
    return LoginStore.standard?.hasLogin(for: profile) == true ? .login : nil
  }

  /// Refuses a run whose profiles have sources that can never provide a token.
  func check(_ names: some Sequence<String>) throws {
    guard case .profiles(_, let url) = self else { return }
    for name in names { try source(of: name)?.check(of: name, at: url) }
  }

  /// The token of a profile for a run, which records a failure and continues.
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
        .notPermitted, "there is no access token for the profile '\(profile)'",
        hint: """
          run \(LoginStore.command(for: profile, at: url)), or add the profile to \(place), such \
          as: profiles: {\(profile): {env: MY_TOKEN}}
          """)
    }
    return CommandFailure(
      .notPermitted, "there is no access token",
      hint: """
        run graphflow login, set \(variable), or add a profile 'default' to \(place); \
        --sandbox needs no token
        """)
  }
}
