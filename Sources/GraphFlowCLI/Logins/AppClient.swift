import GraphAPI

/// The app of a login, which identifies itself to Graph by its client token, without its secret.
struct AppClient: Sendable {
  static let variable = "GRAPHFLOW_CLIENT_TOKEN"
  let id: String
  /// The app's id, a bar, and its client token.
  let token: AccessToken

  /// Takes the id from the flag, the environment or the configuration, the client token from the
  /// environment.
  init(flag: String?, settings: Settings) throws {
    if let flag, !AppClient.isID(flag) {
      throw CommandFailure(.usage, "--app-id: '\(flag)' is not an app's id, which is a number")
    }
    guard let id = flag ?? settings.appID else {
      throw CommandFailure(
        .misconfigured, "the id of the app is not set",
        hint: "set it with --app-id, GRAPHFLOW_APP_ID, or app_id in the configuration")
    }
    guard AppClient.isID(id) else {
      throw CommandFailure(.misconfigured, "'\(id)' is not an app's id, which is a number")
    }
    guard let text = Environment.value(AppClient.variable) else {
      throw CommandFailure(
        .misconfigured, "\(AppClient.variable) is not set",
        hint: """
          find it in the App Dashboard under Settings, Advanced, Security: 'Client token'; the \
          app needs Login from Devices switched on
          """)
    }
    guard let client = AccessToken(text), !text.contains("|"),
      let token = AccessToken("\(id)|\(text)")
    else { throw CommandFailure(.misconfigured, "\(AppClient.variable) holds no client token") }
    ProcessRedactor.record(client)
    ProcessRedactor.record(token)
    self.id = id
    self.token = token
  }

  private static func isID(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}
