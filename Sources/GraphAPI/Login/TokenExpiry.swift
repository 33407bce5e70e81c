/// When a token, or the access to data with it, expires.
package enum TokenExpiry: Hashable, Sendable {
  /// Graph has not returned it.
  case unknown
  /// It does not expire.
  case never
  /// Seconds since 1970.
  case at(Int)

  /// Converts from Graph's format: seconds since 1970; 0 means never, nil means unknown.
  ///
  /// Source: Graph API, "Debug Token" (`expires_at`, `data_access_expires_at`).
  package init(seconds: Int?) {
    switch seconds {
    case nil: self = .unknown
    case 0?: self = .never
    case let seconds?: self = .at(seconds)
    }
  }

  /// Graph's format; nil if unknown.
  package var seconds: Int? {
    switch self {
    case .unknown: nil
    case .never: 0
    case .at(let seconds): seconds
    }
  }

  /// Whether it has expired at that time, in seconds since 1970.
  package func isExpired(at now: Int) -> Bool {
    if case .at(let expiry) = self { now >= expiry } else { false }
  }
}
