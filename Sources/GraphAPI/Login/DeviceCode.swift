package import JSONPath

/// The codes of a device that waits for a person to log it in.
///
/// Source: Facebook Login, "Login for Devices".
package struct DeviceCode: Hashable, Sendable {
  /// The device's own code: who has it gets the token.
  package let code: AccessToken

  /// What the person types in.
  package let userCode: String

  /// Where the person types it in.
  package let verificationURI: String

  /// How long the codes are good for, in seconds.
  package let lifetime: Int

  /// How long to wait between two questions, in seconds; never less than five.
  package let interval: Int

  /// Reads the answer of `device/login`; nil if it holds no codes.
  ///
  /// Numbers may be texts, as Meta's SDK for iOS has seen them.
  package init?(body: JSON) {
    guard let code = body["code"]?.string.flatMap({ AccessToken($0) }),
      let userCode = body["user_code"]?.string, !userCode.isEmpty
    else { return nil }
    self.code = code
    self.userCode = userCode
    verificationURI = body["verification_uri"]?.string ?? "https://www.facebook.com/device"
    lifetime = min(max(GraphSeconds.read(body["expires_in"]) ?? 420, 1), 86_400)
    interval = min(max(GraphSeconds.read(body["interval"]) ?? 5, 5), 600)
  }

  /// The address that has the code in it already.
  package var directURI: String {
    let sign = verificationURI.contains("?") ? "&" : "?"
    return "\(verificationURI)\(sign)user_code=\(PercentEncoding.encoded(userCode))"
  }

  /// Asks for codes.
  ///
  /// - Parameters:
  ///   - client: the app's id, a bar, and its client token.
  ///   - scopes: the permissions that the person is asked for.
  ///   - version: the Graph version.
  /// - Returns: the request.
  package static func request(
    by client: AccessToken,
    scopes: [String],
    version: GraphVersion
  ) -> SingleRequest {
    let scope = BatchOperation.Parameter(name: "scope", value: scopes.joined(separator: ","))
    return SingleRequest(
      operation: BatchOperation(
        method: .post,
        path: "device/login",
        parameters: scopes.isEmpty ? [] : [scope]
      ),
      accessToken: client,
      version: version
    )
  }

  /// Asks whether the person has decided.
  package func poll(by client: AccessToken, version: GraphVersion) -> SingleRequest {
    SingleRequest(
      operation: BatchOperation(
        method: .post,
        path: "device/login_status",
        parameters: [BatchOperation.Parameter(name: "code", value: code.exposed)]
      ),
      accessToken: client,
      version: version
    )
  }
}
