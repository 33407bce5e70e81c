extension WorldDescription {
  /// An ad account.
  public struct AdAccount: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The id without `act_`; nil: the next free one.
    public var id: String?
    /// The currency of its amounts.
    public var currency = "EUR"
    /// The keys of those who may use it.
    public var users: [String] = []
    /// Its campaigns, the oldest first.
    public var campaigns: [Campaign] = []

    /// Describes an account without campaigns, which nobody may use.
    public init(name: String) { self.name = name }
  }

  /// A campaign.
  public struct Campaign: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What it is for.
    public var objective = "OUTCOME_TRAFFIC"
    /// `ACTIVE` or `PAUSED`.
    public var status = "ACTIVE"
    /// Its ad sets, the oldest first.
    public var adSets: [AdSet] = []

    /// Describes a campaign without ads.
    public init(name: String) { self.name = name }
  }

  /// An ad set.
  public struct AdSet: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// `ACTIVE` or `PAUSED`.
    public var status = "ACTIVE"
    /// What it may cost a day, in cents.
    public var dailyBudget = 1_000
    /// Its ads, the oldest first.
    public var ads: [Ad] = []

    /// Describes an ad set without ads.
    public init(name: String) { self.name = name }
  }

  /// An ad, and what insights tell of it; nil: figures that come from its id.
  public struct Ad: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// `ACTIVE` or `PAUSED`.
    public var status = "ACTIVE"
    /// How often it was shown.
    public var impressions: Int?
    /// To how many people it was shown.
    public var reach: Int?
    /// How often it was clicked on.
    public var clicks: Int?
    /// What it has cost, in cents.
    public var spend: Int?

    /// Describes an ad.
    public init(name: String) { self.name = name }
  }
}
