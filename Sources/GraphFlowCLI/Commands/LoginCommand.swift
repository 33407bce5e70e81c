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

      Example: log in with the browser of this machine, which needs GRAPHFLOW_APP_SECRET:

        graphflow login --browser --scope pages_show_list

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
    help: ArgumentHelp(
      "Log in with the browser of this machine, without a code; needs GRAPHFLOW_APP_SECRET.",
      discussion: """
        The browser comes back to http://localhost:PORT/, which the app's settings have to allow.
        """))
  var browser = false

  @Option(help: .value("n", "With --browser: the port; default: a free one."))
  var port: Int?

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
      !browser || !readsToken && !refresh,
      "--browser does not go with --token-stdin or --refresh")
    try require(
      port.map { browser && (1...65_535).contains($0) } ?? true,
      "--port needs --browser, and a number from 1 to 65535")
    try require(
      !refresh || !readsToken && scope.isEmpty && page == nil,
      "--refresh does not go with --token-stdin, --scope or --page")
  }

  func run() throws {
    var settings = try options.settings()
    let profile = options.profile ?? page.map { _ in "page" } ?? settings.profile ?? "default"
    let store = try LoginStore.required()
    try store.check(profile, at: settings.graphURL)
    try PersonLogin.refuseOtherSource(of: profile, settings)
    let given = readsToken ? try LoginCommand.tokenFromInput() : try person(for: profile, settings)
    let kept = refresh ? try store.login(of: profile, at: settings.graphURL) : nil
    let source: PersonLogin.Source =
      if let kept { .kept(kept) } else if let given { .given(given) } else {
        try self.source(settings)
      }
    if let id = source.app ?? appID ?? (settings.appID == nil ? kept?.facts.app?.id : nil) {
      settings.choose(app: id)
    }
    try PersonLogin(
      profile: profile, page: page, scopes: scopes, settings: settings, store: store,
      format: format
    ).run(source)
  }

  /// A person who logs in, on any device or in the browser of this machine.
  private func source(_ settings: Settings) throws -> PersonLogin.Source {
    guard browser else { return .person(try AppClient(flag: appID, settings: settings)) }
    return .browser(
      try BrowserLogin(
        appID: try AppClient.id(flag: appID, settings: settings), port: port ?? 0,
        settings: settings))
  }

  /// The token of the person whose page is to be kept; nil if somebody has to log in.
  private func person(for profile: String, _ settings: Settings) throws -> AccessToken? {
    guard page != nil, scope.isEmpty, profile != "default",
      settings.tokens.source(of: "default") != nil
    else { return nil }
    return try settings.tokens.token(for: "default")
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
