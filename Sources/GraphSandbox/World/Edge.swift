/// The edges between objects; the raw value is the path segment.
enum Edge: String, Hashable, Sendable, CaseIterable {
  case accounts
  case adaccounts
  case adcreatives
  case ads
  case adsets
  case albums
  case campaigns
  case comments
  case feed
  case friends
  case insights
  case likes
  case media
  case mediaPublish = "media_publish"
  case permissions
  case photos
  case posts
  case publishedPosts = "published_posts"
  case scheduledPosts = "scheduled_posts"
  case videos

  /// The edge whose list is read: `posts` reads the list of `feed`.
  var stored: Edge {
    switch self {
    case .posts, .publishedPosts: .feed
    case .mediaPublish: .media
    default: self
    }
  }

  /// The types of the objects in it; none for what is not an object.
  var targets: [NodeType] {
    switch self {
    case .accounts: [.page]
    case .adaccounts: [.adAccount]
    case .adcreatives: [.adCreative]
    case .ads: [.ad]
    case .adsets: [.adSet]
    case .albums: [.album]
    case .campaigns: [.campaign]
    case .comments: [.comment]
    case .feed, .posts, .publishedPosts, .scheduledPosts: [.post]
    case .friends: [.user]
    case .insights, .permissions: []
    case .likes: [.user, .page]
    case .media, .mediaPublish: [.instagramMedia]
    case .photos: [.photo]
    case .videos: [.video]
    }
  }

  /// Whether the newest object comes first.
  var isNewestFirst: Bool {
    switch self {
    case .feed, .posts, .publishedPosts, .photos, .albums, .media, .mediaPublish, .videos,
      .adcreatives, .ads, .adsets, .campaigns:
      true
    case .accounts, .adaccounts, .comments, .friends, .insights, .likes, .permissions,
      .scheduledPosts:
      false
    }
  }

  /// The fields of a read without `fields`, if they differ from the node type's.
  var defaultFields: FieldSelection? { self == .accounts ? Self.accountFields : nil }

  private static let accountFields = FieldSelection(
    ["access_token", "category", "category_list", "name", "id", "tasks"])

  /// Whether every read includes the number of objects.
  var alwaysSummarizes: Bool { self == .friends }
}
