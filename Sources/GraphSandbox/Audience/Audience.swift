import JSONPath

/// The audience of a page or an Instagram account, day by day.
///
/// A model that gives the same for the same world: on each day people see the profile and what it has
/// published. There are as many followers as the profile's fields say, on every day, because as many
/// come as go.
struct Audience: Sendable {
  let followers: Int
  private let dice: Dice
  private let pieces: [PublishedPiece]

  /// The days that Graph keeps.
  static let daysKept = 730
  /// The zone whose midnights end the days: California's, as in all recordings.
  static let zone = AccountZone.losAngeles

  init(of profile: GraphObject, at place: ObjectTable.Place, in objects: ObjectTable) {
    let followers = Self.followers(of: profile)
    self.followers = followers
    dice = Dice(profile.id)
    let edges: [Edge] = profile.type == .page ? [.feed, .videos] : [.media, .stories]
    // The newest ones; people do not see older ones for the first time.
    pieces = edges.flatMap { edge -> [PublishedPiece] in
      (objects[edge, of: place]?.entries.suffix(PublishedPiece.limit) ?? []).compactMap { entry in
        objects[entry.object].map {
          PublishedPiece($0, at: entry.object, in: objects, followers: followers)
        }
      }
    }
  }

  /// How many follow a page or an account.
  static func followers(of profile: GraphObject?) -> Int {
    guard let profile else { return 0 }
    return profile.fields["followers_count"]?.people ?? profile.fields["fan_count"]?.people
      ?? 200 + Dice(profile.id).roll(-1, below: 4_800)
  }

  /// How many posts, videos or media it sees.
  var size: Int { pieces.count }

  /// How many people there are at several occasions: more than at the largest one, fewer than all
  /// together, because many come more than once.
  static func people(_ sum: Int, largest: Int) -> Int { largest + (sum - largest) * 25 / 100 }

  /// The counts of days, by their numbers since 1970.
  func days(_ days: Range<Int>) -> [AudienceCounts] {
    guard !days.isEmpty else { return [] }
    let ends = (days.lowerBound...days.upperBound).map { Self.zone.time(local: $0 * 86_400) }
    var all = days.map { profileCounts(of: $0) }
    // Most people who see one piece see the others, too.
    var largest = all.map { $0[.viewers] }
    for piece in pieces where piece.isActive(in: ends[0]..<ends[ends.count - 1]) {
      var last = piece.counts(at: ends[0] - 1)
      for index in all.indices {
        let counts = piece.counts(at: ends[index + 1] - 1)
        all[index] += counts - last
        largest[index] = max(largest[index], counts[.viewers] - last[.viewers])
        last = counts
      }
    }
    for index in all.indices {
      all[index].addUp()
      all[index][.viewers] = Self.people(all[index][.viewers], largest: largest[index])
      all[index][.followers] = followers
    }
    return all
  }

  /// What comes from the profile itself.
  private func profileCounts(of day: Int) -> AudienceCounts {
    // 1970 began on a Thursday; less on weekends.
    let weekday = (day + 4) % 7
    let percent = (weekday == 0 || weekday == 6 ? 60 : 85) + dice.roll(day &* 4, below: 46)
    func some(_ permille: Int, _ purpose: Int) -> Int {
      // Rounded by chance, so that few followers do something on some days, too.
      (followers * percent / 100 * permille + dice.roll(day &* 4 &+ purpose, below: 1_000)) / 1_000
    }
    var counts = AudienceCounts()
    counts[.views] = some(80, 1)
    counts[.viewers] = counts[.views] * 70 / 100
    counts[.profileViews] = some(30, 2)
    counts[.profileActions] = counts[.profileViews] * 120 / 1_000
    counts[.follows] = some(1, 3)
    counts[.unfollows] = counts[.follows]
    return counts
  }
}
