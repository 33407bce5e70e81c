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
      token: token, lifetime: body["expires_in"]?.seconds.flatMap { $0 > 0 ? $0 : nil },
      dataAccessExpiry: TokenExpiry(
        seconds: body["data_access_expiration_time"]?.seconds))
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

extension JSON {
  /// Seconds in Graph's format; nil if negative, or far above any meaningful value.
  var seconds: Int? { lenientInteger.flatMap { (0...100_000_000_000).contains($0) ? $0 : nil } }
}
