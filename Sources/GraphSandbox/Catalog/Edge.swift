/// An edge between objects: its name, which is the path segment.
struct Edge: Hashable, Sendable {
  let name: FieldName

  static let accounts = named("accounts")
  static let adaccounts = named("adaccounts")
  static let adcreatives = named("adcreatives")
  static let ads = named("ads")
  static let adsets = named("adsets")
  static let appEventTypes = named("app_event_types")
  static let attachments = named("attachments")
  static let albums = named("albums")
  static let campaigns = named("campaigns")
  static let children = named("children")
  static let comments = named("comments")
  static let contentPublishingLimit = named("content_publishing_limit")
  static let feed = named("feed")
  static let friends = named("friends")
  static let insights = named("insights")
  static let likes = named("likes")
  static let media = named("media")
  static let mediaPublish = named("media_publish")
  static let messages = named("messages")
  static let permissions = named("permissions")
  static let photos = named("photos")
  static let posts = named("posts")
  static let publishedPosts = named("published_posts")
  static let reactions = named("reactions")
  static let replies = named("replies")
  static let scheduledPosts = named("scheduled_posts")
  static let stories = named("stories")
  static let subscribedApps = named("subscribed_apps")
  static let subscriptions = named("subscriptions")
  static let testLeads = named("test_leads")
  static let videoReels = named("video_reels")
  static let videoInsights = named("video_insights")
  static let videos = named("videos")

  private static func named(_ name: String) -> Edge {
    guard let name = FieldName(name) else { preconditionFailure("\(name) is not in graph.txt") }
    return Edge(name: name)
  }

  /// The edge whose list is read: `posts` reads the list of `feed`.
  var stored: Edge {
    switch self {
    case .posts, .publishedPosts: .feed
    case .mediaPublish: .media
    case .reactions: .likes
    default: self
    }
  }

  /// Whether the newest object comes first.
  var isNewestFirst: Bool { !Self.oldestFirst[Int(name.index)] }

  private static let oldestFirst = table([
    .accounts, .adaccounts, .children, .comments, .friends, .insights, .likes, .permissions,
    .reactions, .replies, .scheduledPosts,
  ])

  /// Whether it has insights, which are computed.
  var isOfInsights: Bool { self == .insights || self == .videoInsights }

  /// Whether reads compute it, at least for some objects.
  var isComputed: Bool { Self.computed[Int(name.index)] }

  private static let computed = table([
    .appEventTypes, .attachments, .contentPublishingLimit, .insights, .permissions,
    .subscribedApps, .subscriptions, .videoInsights,
  ])

  /// Which names are those of some edges, by their indices: every read asks.
  private static func table(_ edges: Set<Edge>) -> [Bool] {
    Catalog.graph.names.indices.map { edges.contains(Edge(name: FieldName(index: UInt16($0)))) }
  }

  /// The fields of a read without `fields`, if they differ from the node type's.
  var defaultFields: FieldSelection? { self == .accounts ? Self.accountFields : nil }

  private static let accountFields = FieldSelection(
    ["access_token", "category", "category_list", "name", "id", "tasks"])

  /// Whether every read includes the number of objects.
  var alwaysSummarizes: Bool { self == .friends }
}
