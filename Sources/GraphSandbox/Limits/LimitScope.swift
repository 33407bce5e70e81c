/// What one limit counts: its kind, and whose calls they are.
struct LimitScope: Hashable, Sendable {
  let kind: RateLimits.Kind
  /// The user, page or account; empty for the application.
  let id: String

  static let app = LimitScope(kind: .app, id: "")

  /// Whether `X-Business-Use-Case-Usage` tells of it; the others are limits of the platform.
  var isBusiness: Bool { kind == .pages || kind == .instagram || isAds }

  /// Whether it is one of an ad account's.
  var isAds: Bool { kind == .adsManagement || kind == .adsInsights }
}
