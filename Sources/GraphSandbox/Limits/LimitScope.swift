/// What one limit counts: its kind, and whose calls they are.
struct LimitScope: Hashable, Sendable {
  let kind: RateLimits.Kind
  /// The user, page or account; empty for the application.
  let id: String

  static let app = LimitScope(kind: .app, id: "")

  /// The `type` in `X-Business-Use-Case-Usage`; nil for limits of the platform.
  var businessUseCase: String? {
    switch kind {
    case .pages, .instagram, .adsManagement, .adsInsights: kind.rawValue
    case .app, .user, .page, .feed, .custom: nil
    }
  }

  /// Whether it is one of an ad account's.
  var isAds: Bool { kind == .adsManagement || kind == .adsInsights }
}
