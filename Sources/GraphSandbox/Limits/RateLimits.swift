/// The limits on calls within a rolling window (docs/internals/graph-api.md, Rate limits).
///
/// The default limits are too high to reach by accident.
package struct RateLimits: Hashable, Sendable {
  /// The kinds of limits; each has its own error code.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Calls with the tokens of the application and its users: code 4.
    case app
    /// Calls with the tokens of one user: code 17.
    case user
    /// Calls to one page without its own token: code 32.
    case page
    /// Writes of one profile to feeds, comments and likes: code 341.
    case feed
    /// Calls of one profile, under a limit that Graph calls custom: code 613.
    case custom
    /// Calls to one page with its own token: code 80001.
    case pages
    /// Calls to one Instagram account: code 80002.
    case instagram
    /// Calls to one ad account: code 80004.
    case adsManagement = "ads_management"
    /// Reads of one ad account's insights: code 80000.
    case adsInsights = "ads_insights"
  }

  /// How much one limit allows.
  package struct Quota: Hashable, Sendable {
    /// Calls within the window; every operation and every id of `ids=` is one.
    package var calls: Int
    /// Milliseconds of processor time; nil: never the first to run out.
    package var processorTime: Int?
    /// Milliseconds of time; nil: never the first to run out.
    package var time: Int?
    /// Calls that count as made before the limit's first use.
    package var used: Int

    /// Makes a quota; values out of range are clamped.
    package init(calls: Int, processorTime: Int? = nil, time: Int? = nil, used: Int = 0) {
      let range = 1...1_000_000_000_000
      self.calls = calls.clamped(to: range)
      self.processorTime = processorTime?.clamped(to: range)
      self.time = time?.clamped(to: range)
      self.used = used.clamped(to: 0...1_000_000_000_000)
    }
  }

  /// Seconds of the world's time until a call no longer counts.
  package var window: Int { didSet { window = window.clamped(to: Self.windows) } }
  /// Seconds that each call during a block adds to it.
  package var penalty: Int { didSet { penalty = penalty.clamped(to: 0...86_400) } }
  /// The limits that differ from the default.
  package var quotas: [Kind: Quota]

  private static let windows = 60...604_800
  private static let standard = Quota(calls: 10_000_000)

  /// Makes limits; values out of range are clamped.
  package init(window: Int = 3_600, penalty: Int = 10, quotas: [Kind: Quota] = [:]) {
    self.window = window.clamped(to: Self.windows)
    self.penalty = penalty.clamped(to: 0...86_400)
    self.quotas = quotas
  }

  package func quota(of kind: Kind) -> Quota { quotas[kind] ?? Self.standard }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

/// One limit: its kind, and the profile or account that it counts calls of.
struct LimitScope: Hashable, Sendable {
  let kind: RateLimits.Kind
  /// The user, page or account; empty for the application.
  let id: String

  /// The id alone decides in a table: few limits share one.
  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Whether `X-Business-Use-Case-Usage` reports it; the others are platform limits.
  var isBusiness: Bool { kind == .pages || kind == .instagram || isAds }

  var isAds: Bool { kind == .adsManagement || kind == .adsInsights }
}
