package import JSONPath

/// The codes for a login on another device.
///
/// Source: Facebook Login, "Login for Devices".
package struct DeviceCode: Hashable, Sendable {
  /// The device's own code; anyone who has it can get the token.
  package let code: AccessToken
  /// The code that the person enters.
  package let userCode: String
  package let verificationURI: String
  /// How long the codes are valid, in seconds.
  package let lifetime: Int
  /// How long to wait between two polls, in seconds; at least five.
  package let interval: Int

  /// Parses the answer of `device/login`; nil if it has no codes.
  ///
  /// Numbers may be strings, as Meta's SDK for iOS accepts them.
  package init?(body: JSON) {
    guard let code = body["code"]?.string.flatMap({ AccessToken($0) }),
      let userCode = body["user_code"]?.string, !userCode.isEmpty
    else { return nil }
    self.code = code
    self.userCode = userCode
    verificationURI = body["verification_uri"]?.string ?? "https://www.facebook.com/device"
    lifetime = min(max(body["expires_in"]?.seconds ?? 420, 1), 86_400)
    interval = min(max(body["interval"]?.seconds ?? 5, 5), 600)
  }

  /// The page with the code already filled in.
  package var directURI: String {
    let sign = verificationURI.contains("?") ? "&" : "?"
    return "\(verificationURI)\(sign)user_code=\(PercentEncoding.encoded(userCode))"
  }

  /// The request for codes; `client` is the app's id, a bar, and its client token.
  ///
  /// With `asksAgain` the person is asked again for what was declined before: Facebook Login,
  /// `auth_type=rerequest`.
  package static func request(
    by client: AccessToken, scopes: [String], asksAgain: Bool = false, version: GraphVersion
  ) -> SingleRequest {
    var parameters: [BatchOperation.Parameter] = []
    if !scopes.isEmpty { parameters = [.init(name: "scope", value: scopes.joined(separator: ","))] }
    if asksAgain { parameters.append(.init(name: "auth_type", value: "rerequest")) }
    return SingleRequest(
      operation: BatchOperation(method: .post, path: "device/login", parameters: parameters),
      accessToken: client, version: version)
  }

  /// The request that polls whether the person has decided.
  package func poll(by client: AccessToken, version: GraphVersion) -> SingleRequest {
    SingleRequest(
      operation: BatchOperation(
        method: .post, path: "device/login_status",
        parameters: [BatchOperation.Parameter(name: "code", value: code.exposed)]),
      accessToken: client, version: version)
  }
}
