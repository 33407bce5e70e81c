/// How much may be asked of a sandbox within a rolling window (docs/internals/graph-api.md, Rate
/// limits).
///
/// Without arguments so much that nobody reaches it by chance.
package struct RateLimits: Hashable, Sendable {
  /// What a limit counts together; each has an error code of its own.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// What the application asks with its own and its users' tokens: code 4.
    case app
    /// What is asked with the tokens of one user: code 17.
    case user
    /// What is asked of one page with other tokens than the page's: code 32.
    case page
    /// What one profile writes into feeds, comments and likes: code 341.
    case feed
    /// What one profile asks, by a limit that Graph calls custom: code 613.
    case custom
    /// What is asked of one page with its own token: code 80001.
    case pages
    /// What is asked of one Instagram account: code 80002.
    case instagram
    /// What is asked of one ad account: code 80004.
    case adsManagement = "ads_management"
    /// The insights that are asked of one ad account: code 80000.
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
    /// Calls that count as made when the limit is looked at first.
    package var used: Int

    /// Makes a quota; what is out of range becomes the nearest that is not.
    package init(calls: Int, processorTime: Int? = nil, time: Int? = nil, used: Int = 0) {
      let range = 1...1_000_000_000_000
      self.calls = calls.clamped(to: range)
      self.processorTime = processorTime?.clamped(to: range)
      self.time = time?.clamped(to: range)
      self.used = used.clamped(to: 0...1_000_000_000_000)
    }
  }

  /// Seconds of the world's time after which a call counts no longer.
  package var window: Int {
    didSet { window = window.clamped(to: Self.windows) }
  }
  /// Seconds by which a call during a block makes the block longer.
  package var penalty: Int {
    didSet { penalty = penalty.clamped(to: 0...86_400) }
  }
  /// The limits that differ from the standard.
  package var quotas: [Kind: Quota]

  private static let windows = 60...604_800
  private static let standard = Quota(calls: 10_000_000)

  /// Makes limits; what is out of range becomes the nearest that is not.
  package init(window: Int = 3_600, penalty: Int = 10, quotas: [Kind: Quota] = [:]) {
    self.window = window.clamped(to: Self.windows)
    self.penalty = penalty.clamped(to: 0...86_400)
    self.quotas = quotas
  }

  /// What a limit allows.
  package func quota(of kind: Kind) -> Quota { quotas[kind] ?? Self.standard }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
