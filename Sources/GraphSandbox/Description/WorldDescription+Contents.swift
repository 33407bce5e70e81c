extension WorldDescription {
  /// What a user or page has published, the oldest first.
  package struct Contents: Hashable, Sendable {
    /// Posts; each is younger than the one before it.
    package var posts: [Post] = []
    package var photos: [Photo] = []
    package var albums: [Album] = []

    package init() {}
  }

  /// A post, or several that differ only by a number.
  package struct Post: Hashable, DetailedDescription {
    /// The text; `{n}` stands for the post's number, from 1.
    package var message: String
    /// How many posts this entry describes.
    package var count = 1
    /// The seconds between it and the object published before it.
    package var interval = 3_600
    package var link: String?
    /// Whether the feed shows it.
    package var isPublished = true
    /// The keys of users and pages that like it.
    package var likes: [String] = []
    /// The comments, the oldest first.
    package var comments: [Comment] = []
    package var details = ObjectDetails()

    package static let maximumCount = 5_000_000

    package init(message: String) { self.message = message }
  }

  /// A comment.
  package struct Comment: Hashable, DetailedDescription {
    /// The key of the user or page that wrote it.
    package var author: String
    package var message: String
    package var likes: [String] = []
    package var details = ObjectDetails()

    package init(by author: String, message: String) {
      self.author = author
      self.message = message
    }
  }

  /// A photo.
  package struct Photo: Hashable, DetailedDescription {
    package var caption: String
    package var likes: [String] = []
    package var comments: [Comment] = []
    package var details = ObjectDetails()

    package init(caption: String) { self.caption = caption }
  }

  /// An album.
  package struct Album: Hashable, DetailedDescription {
    package var name: String
    package var photos: [Photo] = []
    package var details = ObjectDetails()

    package init(name: String) { self.name = name }
  }

  /// An ad account.
  package struct AdAccount: Hashable, DetailedDescription {
    package var name: String
    /// The id without `act_`; nil: the next free one.
    package var id: String?
    /// The currency of its amounts.
    package var currency = "EUR"
    /// The time zone whose days its insights count.
    package var timeZone = AccountZone.london
    /// The keys of its users.
    package var users: [String] = []
    /// Its campaigns, the oldest first.
    package var campaigns: [Campaign] = []
    package var details = ObjectDetails()

    package init(name: String) { self.name = name }
  }

  /// A campaign.
  package struct Campaign: Hashable, DetailedDescription {
    package var name: String
    package var objective = "OUTCOME_TRAFFIC"
    /// `ACTIVE` or `PAUSED`.
    package var status = "ACTIVE"
    /// Its ad sets, the oldest first.
    package var adSets: [AdSet] = []
    package var details = ObjectDetails()

    package init(name: String) { self.name = name }
  }

  /// An ad set.
  package struct AdSet: Hashable, DetailedDescription {
    package var name: String
    package var status = "ACTIVE"
    /// The budget per day, in cents.
    package var dailyBudget = 1_000
    /// When its ads were first delivered, in seconds since 1970; nil: 30 days before the account is
    /// made.
    package var start: Int?
    /// When their delivery ends; nil: never.
    package var end: Int?
    /// Its ads, the oldest first.
    package var ads: [Ad] = []
    package var details = ObjectDetails()

    package init(name: String) { self.name = name }
  }

  /// An ad and its figures until the account is made; nil: a figure derived from its id.
  package struct Ad: Hashable, DetailedDescription {
    package var name: String
    package var status = "ACTIVE"
    package var impressions: Int?
    package var reach: Int?
    package var clicks: Int?
    /// Its cost, in cents.
    package var spend: Int?
    package var details = ObjectDetails()

    package init(name: String) { self.name = name }
  }
}
