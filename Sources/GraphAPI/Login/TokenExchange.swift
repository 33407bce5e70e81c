/// Exchanges what a login has given for a person's token.
package enum TokenExchange {
  /// The request for a token that is valid for about sixty days, in place of another; nil if the app
  /// id is invalid.
  ///
  /// Source: Facebook Login, "Long-Lived Access Tokens".
  package static func request(
    for token: AccessToken, appID: String, secret: AppSecret, version: GraphVersion
  ) -> SingleRequest? {
    request(
      ["grant_type": "fb_exchange_token", "fb_exchange_token": token.exposed], appID: appID,
      secret: secret, version: version)
  }

  /// The request for a token in place of the code with which a dialog has redirected to this address.
  ///
  /// Source: Facebook Login, "Manually Build a Login Flow".
  package static func request(
    forCode code: AccessToken, redirect: String, appID: String, secret: AppSecret,
    version: GraphVersion
  ) -> SingleRequest? {
    request(
      ["redirect_uri": redirect, "code": code.exposed], appID: appID, secret: secret,
      version: version)
  }

  /// A request with the app's secret in its body.
  private static func request(
    _ fields: KeyValuePairs<String, String>, appID: String, secret: AppSecret,
    version: GraphVersion
  ) -> SingleRequest? {
    guard let appToken = secret.appToken(ofApp: appID) else { return nil }
    let parameters = [("client_id", appID), ("client_secret", secret.exposed)] + Array(fields)
    return SingleRequest(
      operation: BatchOperation(
        // Graph accepts a GET, too, which would put both secrets into the URL.
        method: .post, path: "oauth/access_token",
        parameters: parameters.map { BatchOperation.Parameter(name: $0, value: $1) }),
      accessToken: appToken, version: version)
  }
}
