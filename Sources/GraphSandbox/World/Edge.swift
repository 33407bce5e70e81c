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
  case videos

  /// The list that holds the edge's objects: posts are what the feed holds.
  var stored: Edge {
    switch self {
    case .posts, .publishedPosts: .feed
    case .mediaPublish: .media
    default: self
    }
  }

  /// Whether the newest object comes first.
  var isNewestFirst: Bool {
    switch self {
    case .feed, .posts, .publishedPosts, .photos, .albums, .media, .mediaPublish, .videos,
      .adcreatives, .ads, .adsets, .campaigns:
      true
    case .accounts, .adaccounts, .comments, .friends, .insights, .likes, .permissions: false
    }
  }

  /// What a read of the edge returns that names no fields, where that differs from the node's own.
  var defaultFields: [String]? {
    switch self {
    case .accounts: ["access_token", "category", "category_list", "name", "id", "tasks"]
    default: nil
    }
  }

  /// Whether the edge always tells how many objects it has.
  var alwaysSummarizes: Bool { self == .friends }
}
