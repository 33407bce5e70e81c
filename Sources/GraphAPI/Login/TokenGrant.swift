package import JSONPath

/// A token as a login or an exchange gives it.
///
/// Source: Facebook Login, "Login for Devices" and "Long-Lived Access Tokens".
package struct TokenGrant: Hashable, Sendable {
  /// The token.
  package let token: AccessToken

  /// How long it lives, in seconds; nil if Graph does not say.
  package let lifetime: Int?

  /// When access to the person's data ends.
  package let dataAccessExpiry: TokenExpiry

  /// Reads the answer of `device/login_status` or `oauth/access_token`; nil if it holds no token.
  package init?(body: JSON) {
    guard let text = body["access_token"]?.string, let token = AccessToken(text) else {
      return nil
    }
    self.init(
      token: token,
      lifetime: GraphSeconds.read(body["expires_in"]).flatMap { $0 > 0 ? $0 : nil },
      dataAccessExpiry: TokenExpiry(
        seconds: GraphSeconds.read(body["data_access_expiration_time"])
      )
    )
  }

  /// A token of which something is known.
  package init(token: AccessToken, lifetime: Int? = nil, dataAccessExpiry: TokenExpiry = .unknown) {
    self.token = token
    self.lifetime = lifetime
    self.dataAccessExpiry = dataAccessExpiry
  }

  /// When the token ends that was given at this time, in seconds since 1970.
  package func end(from now: Int) -> TokenExpiry {
    lifetime.map { .at(now + $0) } ?? .unknown
  }
}

/// Seconds as Graph writes them: a number, or text that holds one.
enum GraphSeconds {
  /// Later than anything that anybody waits for, and far from any overflow.
  private static let limit = 100_000_000_000

  static func read(_ value: JSON?) -> Int? {
    guard let seconds = value?.integer ?? value?.string.flatMap({ Int($0) }),
      (0...limit).contains(seconds)
    else { return nil }
    return seconds
  }
}
