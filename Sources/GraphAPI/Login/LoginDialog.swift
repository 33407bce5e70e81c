/// A login in a browser on this machine, to which Graph's dialog redirects.
///
/// Source: Facebook Login, "Manually Build a Login Flow".
package struct LoginDialog: Hashable, Sendable {
  package let appID: String
  /// What the redirect has to carry, so that no other page can hand in a code.
  private let state: String

  package init(appID: String, using generator: inout some RandomNumberGenerator) {
    self.appID = appID
    var bytes: [UInt8] = []
    for _ in 0..<16 { bytes.append(.random(in: .min ... .max, using: &generator)) }
    state = Hexadecimal.text(of: bytes)
  }

  /// The address on this machine that the dialog redirects to.
  package static func redirect(to port: Int) -> String { "http://localhost:\(port)/" }

  /// The dialog's address; another server than Meta's has it beside its Graph API.
  package func address(
    at url: GraphURL, version: GraphVersion, redirect: String, scopes: [String], asksAgain: Bool
  ) -> String {
    var fields = [
      ("client_id", appID), ("redirect_uri", redirect), ("state", state),
      ("response_type", "code"),
    ]
    if !scopes.isEmpty { fields.append(("scope", scopes.joined(separator: ","))) }
    if asksAgain { fields.append(("auth_type", "rerequest")) }
    let host = url == .standard ? "https://www.facebook.com" : url.description
    return "\(host)/\(version)/dialog/oauth?"
      + fields.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
  }

  /// What the dialog has redirected with.
  package enum Answer: Hashable, Sendable {
    /// The code for which Graph issues a token; anyone who has it and the app's secret can get it.
    case code(AccessToken)
    /// The person has refused.
    case refused
    /// Another error, with its message.
    case failed(String)
  }

  /// The answer in the fields of a redirect; nil if it is not the redirect of this login.
  package func answer(_ field: (String) -> String?) -> Answer? {
    guard field("state") == state else { return nil }
    if let code = field("code").flatMap({ AccessToken($0) }) { return .code(code) }
    if field("error") == "access_denied" || field("error_reason") == "user_denied" {
      return .refused
    }
    return (field("error_description") ?? field("error_message") ?? field("error"))
      .map(Answer.failed)
  }
}
