import GraphAPI
import GraphSandbox
import JSONPath

/// A login in a browser on this machine, which comes back with a redirect to loopback.
struct BrowserLogin: Sendable {
  let appID: String
  private let secret: AppSecret
  /// The port of the redirect; 0: a free one.
  private let port: Int
  /// How long it waits for the person, in seconds.
  private static let waitingTime = 600

  init(appID: String, port: Int, settings: Settings) throws {
    guard let secret = settings.appSecret else {
      throw CommandFailure(
        .misconfigured, "a login in the browser needs the app's secret",
        hint: "set GRAPHFLOW_APP_SECRET, or log in without --browser")
    }
    (self.appID, self.port, self.secret) = (appID, port, secret)
  }

  /// Shows the dialog's address, waits for the redirect, and exchanges its code.
  func token(for login: PersonLogin, by graph: GraphClient) async throws -> TokenGrant {
    var generator = SystemRandomNumberGenerator()
    let dialog = LoginDialog(appID: appID, using: &generator)
    let (answers, arrived) = AsyncStream.makeStream(of: LoginDialog.Answer.self)
    return try await RedirectServer.serving(port: port) { field in
      guard let answer = dialog.answer(field) else { return nil }
      arrived.yield(answer)
      return "graphflow has got the answer. You can close this window."
    } _: { port in
      let redirect = LoginDialog.redirect(to: port)
      let address = dialog.address(
        at: graph.url, version: graph.version, redirect: redirect, scopes: login.scopes,
        asksAgain: login.asksAgain)
      try show(address, redirect, login.format)
      let alarm = Task {
        try await Task.sleep(for: .seconds(Self.waitingTime))
        arrived.finish()
      }
      defer { alarm.cancel() }
      var answer = answers.makeAsyncIterator()
      switch await answer.next() {
      case .code(let code)?: return try await exchange(code, redirect, by: graph)
      case .refused?: throw CommandFailure(.notPermitted, Notifier.refusal)
      case .failed(let message)?:
        throw CommandFailure(
          .failed, "the dialog reports: \(ProcessRedactor.known.masked(message))",
          hint: "the app's settings have to allow \(redirect): docs/guide/logging-in.md")
      case nil:
        try Task.checkCancellation()
        throw CommandFailure(
          .tryAgainLater, "nobody has logged in within \(Self.waitingTime / 60) minutes",
          hint: "start the login again")
      }
    }
  }

  private func exchange(
    _ code: AccessToken, _ redirect: String, by graph: GraphClient
  ) async throws -> TokenGrant {
    ProcessRedactor.record(code)
    guard
      let request = TokenExchange.request(
        forCode: code, redirect: redirect, appID: appID, secret: secret, version: graph.version)
    else { throw CommandFailure(.misconfigured, "'\(appID)' is not an app's id") }
    guard let grant = TokenGrant(body: try await graph.body(of: request)) else {
      throw graph.unusableAnswer
    }
    ProcessRedactor.record(grant.token)
    return grant
  }

  /// Prints the dialog's address: for programs as a result, for people on standard error; on a
  /// terminal the browser opens it.
  private func show(_ address: String, _ redirect: String, _ format: OutputFormat?) throws {
    guard format != .json else {
      return try Terminal.printJSON([
        "status": "waiting", "url": .string(address), "redirect_uri": .string(redirect),
        "expires_in": .number(.init(Self.waitingTime)),
      ])
    }
    Terminal.notify(
      "Open this address in a browser on this machine:\n\(address)\n"
        + "waiting for \(Self.waitingTime / 60) minutes …")
    guard Terminal.hasPerson else { return }
    // The shell ends at once, and the browser continues.
    let opening = "(xdg-open \"$0\" || open \"$0\") </dev/null >/dev/null 2>&1 &"
    _ = try? ChildProcess.output(
      of: ["/bin/sh", "-c", opening, address], limit: 1024, within: .seconds(5))
  }
}
