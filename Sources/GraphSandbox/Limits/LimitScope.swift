/// One limit: its kind, and the profile or account that it counts calls of.
struct LimitScope: Hashable, Sendable {
  let kind: RateLimits.Kind
  /// The user, page or account; empty for the application.
  let id: String

  static let app = LimitScope(kind: .app, id: "")

  /// Whether `X-Business-Use-Case-Usage` reports it; the others are platform limits.
  var isBusiness: Bool { kind == .pages || kind == .instagram || isAds }

  var isAds: Bool { kind == .adsManagement || kind == .adsInsights }
}
