/// Exchanges a person's token for one that is valid for about sixty days.
///
/// Source: Facebook Login, "Long-Lived Access Tokens".
package enum TokenExchange {
  /// The request, with the app's secret in its body; nil if the app id is invalid.
  package static func request(
    for token: AccessToken, appID: String, secret: AppSecret, version: GraphVersion
  ) -> SingleRequest? {
    guard let appToken = secret.appToken(ofApp: appID) else { return nil }
    let parameters = [
      ("grant_type", "fb_exchange_token"), ("client_id", appID),
      ("client_secret", secret.exposed), ("fb_exchange_token", token.exposed),
    ]
    return SingleRequest(
      operation: BatchOperation(
        // Graph accepts a GET, too, which would put both secrets into the URL.
        method: .post, path: "oauth/access_token",
        parameters: parameters.map { BatchOperation.Parameter(name: $0, value: $1) }),
      accessToken: appToken, version: version)
  }
}
