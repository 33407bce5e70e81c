/// When a token ends, or the access to data with it.
package enum TokenExpiry: Hashable, Sendable {
  /// Graph has not said.
  case unknown
  /// It does not end by itself.
  case never
  /// Seconds since 1970.
  case at(Int)

  /// Reads Graph's form: seconds since 1970, of which 0 is never; nil is unknown.
  ///
  /// Source: Graph API, "Debug Token" (`expires_at`, `data_access_expires_at`).
  package init(seconds: Int?) {
    switch seconds {
    case nil: self = .unknown
    case 0?: self = .never
    case let seconds?: self = .at(seconds)
    }
  }

  /// Graph's form; nil if unknown.
  package var seconds: Int? {
    switch self {
    case .unknown: nil
    case .never: 0
    case .at(let seconds): seconds
    }
  }

  /// Whether the end has come.
  package func isFinished(at now: Int) -> Bool {
    if case .at(let end) = self { now >= end } else { false }
  }
}
