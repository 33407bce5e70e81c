extension WorldDescription {
  /// An ad account.
  package struct AdAccount: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// The id without `act_`; nil: the next free one.
    package var id: String?
    /// The currency of its amounts.
    package var currency = "EUR"
    /// The keys of its users.
    package var users: [String] = []
    /// Its campaigns, the oldest first.
    package var campaigns: [Campaign] = []

    /// Describes an account without campaigns and users.
    package init(name: String) { self.name = name }
  }

  /// A campaign.
  package struct Campaign: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Its objective.
    package var objective = "OUTCOME_TRAFFIC"
    /// `ACTIVE` or `PAUSED`.
    package var status = "ACTIVE"
    /// Its ad sets, the oldest first.
    package var adSets: [AdSet] = []

    /// Describes a campaign without ads.
    package init(name: String) { self.name = name }
  }

  /// An ad set.
  package struct AdSet: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// `ACTIVE` or `PAUSED`.
    package var status = "ACTIVE"
    /// The budget per day, in cents.
    package var dailyBudget = 1_000
    /// Its ads, the oldest first.
    package var ads: [Ad] = []

    /// Describes an ad set without ads.
    package init(name: String) { self.name = name }
  }

  /// An ad and its figures in insights; nil: a figure derived from its id.
  package struct Ad: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// `ACTIVE` or `PAUSED`.
    package var status = "ACTIVE"
    /// How often it was shown.
    package var impressions: Int?
    /// How many people saw it.
    package var reach: Int?
    /// How often it was clicked on.
    package var clicks: Int?
    /// Its cost, in cents.
    package var spend: Int?

    /// Describes an ad.
    package init(name: String) { self.name = name }
  }
}
