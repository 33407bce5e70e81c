/// What is counted of an audience; metrics are made of these (`metrics.txt`).
enum AudienceCount: Int, CaseIterable, Sendable {
  case views
  /// The people behind the views.
  case viewers
  case likes
  case comments
  case shares
  case saves
  case clicks
  case replies
  case reposts
  /// Taps by which people leave a story for the next one or another place.
  case navigation
  case profileViews
  /// Taps on the buttons and the website of a profile.
  case profileActions
  case follows
  case unfollows
  /// How many follow at the end of a day.
  case followers
  case videoViews
  /// How long videos were played, in milliseconds.
  case watchTime
  /// The percentage of views of a reel that ended within three seconds.
  case skipRate
  /// All that people do with a page's posts.
  case engagements
  /// All that people do with Instagram media.
  case interactions

  static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}

/// Counts of one kind each; those of days add up.
struct AudienceCounts: Hashable, Sendable {
  private var values = SIMD32<Int>()

  subscript(count: AudienceCount) -> Int {
    get { values[count.rawValue] }
    set { values[count.rawValue] = newValue }
  }

  static func += (left: inout AudienceCounts, right: AudienceCounts) {
    left.values &+= right.values
  }

  static func - (left: AudienceCounts, right: AudienceCounts) -> AudienceCounts {
    var difference = left
    difference.values &-= right.values
    return difference
  }

  /// Fills in what is the sum of other counts.
  mutating func addUp() {
    self[.engagements] = self[.likes] + self[.comments] + self[.shares] + self[.clicks]
    self[.interactions] =
      self[.likes] + self[.comments] + self[.shares] + self[.saves] + self[.reposts]
      + self[.replies]
  }
}
