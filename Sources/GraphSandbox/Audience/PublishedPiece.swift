import JSONPath

/// A post, a video or Instagram media, and what its audience does with it.
///
/// Likes, comments and, if the object has them, shares and saves are those of the world. The other
/// counts are invented: most people see a piece soon after it was published, and nobody sees it for
/// the first time after four weeks, a story after a day.
struct PublishedPiece: Sendable {
  /// Seconds since 1970.
  let created: Int
  private let likes: Int
  /// When the comments were written, the oldest first.
  private let comments: [Int]
  /// How often it is seen in the end by people who do nothing with it.
  private let potential: Int
  /// Minutes until then.
  private let span: Int
  /// By count, how many come from a thousand views.
  private let permille: [(count: AudienceCount, rate: Int)]
  /// The counts that the object's fields set.
  private let given: [(count: AudienceCount, value: Int)]
  private let isVideo: Bool
  /// How many of a hundred views are the first ones of somebody.
  private let newPeople: Int
  /// Milliseconds that a video is played on average.
  private let watchTime: Int
  private let skipRate: Int

  /// The piece that an object is, for a profile with a number of followers.
  init(_ object: GraphObject, at place: ObjectTable.Place, in objects: ObjectTable, followers: Int)
  {
    let dice = Dice(object.id)
    let product = object.fields["media_product_type"]?.string
    let isStory = product == "STORY"
    let isInstagram = object.type == .instagramMedia
    created = object.created
    likes = object.fields["like_count"]?.people ?? objects[.likes, of: place]?.count ?? 0
    let written = objects[.comments, of: place]?.entries.suffix(Self.limit) ?? []
    let known = written.map { objects[$0.object]?.created ?? 0 }.sorted()
    // A world file may set the number alone; then all of them are as old as the piece.
    let missing = max(0, (object.fields["comments_count"]?.people ?? 0) - known.count)
    comments = Array(repeating: 0, count: min(missing, Self.limit)) + known
    isVideo = object.type == .video || object.fields["media_type"]?.string == "VIDEO"
    let reach = product == "REELS" ? 250 : isStory ? 40 : 100
    let isHidden = object.fields["is_published"]?.bool == false
    potential = isHidden ? 0 : followers * (60 + dice.roll(0, below: 81)) * reach / 10_000
    span = (isStory ? 1 : 28) * 1_440
    newPeople = 65 + dice.roll(1, below: 21)
    watchTime = 3_000 + dice.roll(2, below: 9_000)
    skipRate = 20 + dice.roll(3, below: 40)
    permille = Self.rates.enumerated().filter { _, rate in
      rate.count == .clicks
        || isInstagram && (rate.isOfStories ?? isStory) == isStory
    }.map { ($1.count, $1.range.lowerBound + dice.roll(10 + $0, below: $1.range.count)) }
    let fields: [(AudienceCount, JSON?)] = [
      (.shares, object.fields["shares"]?["count"] ?? object.fields["shares_count"]),
      (.saves, object.fields["saved_count"]), (.reposts, object.fields["reposts_count"]),
    ]
    given = fields.compactMap { count, value in value?.people.map { (count, $0) } }
  }

  /// How many comments of a piece are counted at most; the newest ones.
  static let limit = 1_000

  private typealias Rate = (count: AudienceCount, range: ClosedRange<Int>, isOfStories: Bool?)

  /// By count, the range of a thousand views from which an object's own rate comes.
  private static let rates: [Rate] = [
    (.clicks, 20...60, nil), (.saves, 8...30, false), (.shares, 5...20, nil),
    (.reposts, 2...8, nil), (.follows, 1...5, nil), (.profileViews, 10...30, nil),
    (.profileActions, 3...9, nil), (.navigation, 900...1_400, true), (.replies, 3...12, true),
  ]

  /// Whether anything may happen within some time.
  func isActive(in times: Range<Int>) -> Bool {
    created < times.upperBound
      && max(created + span * 60, comments.last ?? 0) >= times.lowerBound
  }

  /// What has happened until a time.
  func counts(at time: Int) -> AudienceCounts {
    var counts = AudienceCounts()
    guard time >= created else { return counts }
    let seen = seen(at: time)
    for (count, rate) in permille { counts[count] = seen * rate / 1_000 }
    for (count, value) in given { counts[count] = value }
    counts[.likes] = likes
    counts[.comments] = comments.count { $0 <= time }
    // Who reacts has seen it.
    counts[.views] = seen + likes + counts[.comments]
    counts[.viewers] = seen * newPeople / 100 + likes
    if isVideo {
      counts[.videoViews] = counts[.views] * 800 / 1_000
      counts[.watchTime] = counts[.videoViews] * watchTime
      counts[.skipRate] = skipRate
    }
    counts.addUp()
    return counts
  }

  /// What has happened between two times.
  func counts(from start: Int, until end: Int) -> AudienceCounts {
    counts(at: end) - counts(at: start)
  }

  /// Views fall off with the third power of the time that is left.
  private func seen(at time: Int) -> Int {
    let rest = Int128(max(0, span - (time - created) / 60))
    let whole = Int128(span) * Int128(span) * Int128(span) * Int128(span)
    return Int(clamping: Int128(potential) * (whole - rest * rest * rest * rest) / whole)
  }
}

extension JSON {
  /// A number of people or of what they do; larger ones than ten billion could overflow in sums.
  var people: Int? { integer.map { min(max(0, $0), 10_000_000_000) } }
}
