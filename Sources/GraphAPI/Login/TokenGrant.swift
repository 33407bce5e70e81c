package import JSONPath

/// A token that a login or an exchange returned.
///
/// Source: Facebook Login, "Login for Devices" and "Long-Lived Access Tokens".
package struct TokenGrant: Hashable, Sendable {
  package let token: AccessToken
  /// How long it is valid, in seconds; nil if unknown.
  package let lifetime: Int?
  /// When access to the person's data expires.
  package let dataAccessExpiry: TokenExpiry

  /// Parses the answer of `device/login_status` or `oauth/access_token`; nil if it has no token.
  package init?(body: JSON) {
    guard let text = body["access_token"]?.string, let token = AccessToken(text) else { return nil }
    self.init(
      token: token, lifetime: GraphSeconds.parse(body["expires_in"]).flatMap { $0 > 0 ? $0 : nil },
      dataAccessExpiry: TokenExpiry(
        seconds: GraphSeconds.parse(body["data_access_expiration_time"])))
  }

  package init(token: AccessToken, lifetime: Int? = nil, dataAccessExpiry: TokenExpiry = .unknown) {
    self.token = token
    self.lifetime = lifetime
    self.dataAccessExpiry = dataAccessExpiry
  }

  /// When the token expires, if it was granted at this time in seconds since 1970.
  package func expiry(grantedAt now: Int) -> TokenExpiry {
    lifetime.map { .at(now + $0) } ?? .unknown
  }
}

/// Seconds in Graph's format: a number, or a string that contains one.
enum GraphSeconds {
  /// An upper bound, far above any meaningful value and far from overflow.
  private static let limit = 100_000_000_000

  static func parse(_ value: JSON?) -> Int? {
    guard let seconds = value?.integer ?? value?.string.flatMap({ Int($0) }),
      (0...limit).contains(seconds)
    else { return nil }
    return seconds
  }
}
