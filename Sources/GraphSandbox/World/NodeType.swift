/// The types of objects; the raw value is the name in Graph's messages.
enum NodeType: String, Hashable, Sendable, CaseIterable {
  case user = "User"
  case page = "Page"
  case post = "Post"
  case photo = "Photo"
  case comment = "Comment"
  case album = "Album"
  case application = "Application"
  case instagramAccount = "IGUser"
  case instagramContainer = "IGContainer"
  case instagramMedia = "IGMedia"
  case video = "Video"
  case adAccount = "AdAccount"
  case campaign = "Campaign"
  case adSet = "AdSet"
  case ad = "Ad"
  case adCreative = "AdCreative"
  case adReportRun = "AdReportRun"

  /// The fields of a read without `fields`.
  var defaultFields: FieldSelection { Self.defaultFields[self] ?? Self.onlyID }

  private static let onlyID = FieldSelection(["id"])

  private static let defaultFields =
    [
      .user: ["id", "name"], .page: ["id", "name"], .application: ["id", "name"],
      .post: ["id", "message", "created_time"], .photo: ["id", "created_time", "name"],
      .comment: ["id", "created_time", "from", "message"], .album: ["id", "created_time", "name"],
      .video: ["id", "description", "updated_time"], .adAccount: ["id", "account_id"],
      .adReportRun: reportFields,
    ].mapValues(FieldSelection.init) as [NodeType: FieldSelection]

  private static let reportFields = [
    "id", "account_id", "time_ref", "time_completed", "async_status", "async_percent_completion",
    "is_running", "is_bookmarked", "date_start", "date_stop", "error_code", "error_message",
    "error_subcode", "error_user_title", "error_user_msg",
  ]

  /// Whether such an object has an edge.
  func has(_ edge: Edge) -> Bool {
    switch edge {
    case .accounts, .adaccounts, .friends, .permissions: self == .user
    case .publishedPosts, .scheduledPosts: self == .page
    case .albums, .feed, .posts, .videos: self == .user || self == .page
    case .photos: self == .user || self == .page || self == .album
    case .comments, .likes:
      switch self {
      case .post, .photo, .comment, .video, .album: true
      default: false
      }
    case .media, .mediaPublish: self == .instagramAccount
    case .adcreatives, .campaigns: self == .adAccount
    case .adsets: self == .adAccount || self == .campaign
    case .ads: self == .adAccount || self == .campaign || self == .adSet
    case .insights: self == .ad || self == .adReportRun || has(.ads)
    }
  }

  /// The edge that a path segment names.
  func edge(
    named segment: String, _ path: some Sequence<String>
  ) throws(GraphFault) -> Edge {
    guard let edge = FieldName(segment)?.edge else { throw .unknownPath(path) }
    guard has(edge) else { throw .nonexistingField(segment, on: self) }
    return edge
  }

  /// The fields that `POST {id}` may change.
  var changeableFields: Set<String> {
    switch self {
    case .page: ["about", "description", "phone", "website"]
    case .post, .comment: ["message"]
    case .photo: ["name"]
    case .album: ["description", "name"]
    case .video: ["description", "title"]
    case .campaign:
      [
        "buying_type", "daily_budget", "lifetime_budget", "name", "objective", "spend_cap",
        "special_ad_categories", "start_time", "status", "stop_time",
      ]
    case .adSet:
      [
        "bid_amount", "billing_event", "campaign_id", "daily_budget", "end_time",
        "lifetime_budget", "name", "optimization_goal", "promoted_object", "start_time", "status",
        "targeting",
      ]
    case .ad: ["adset_id", "creative", "name", "status"]
    case .adCreative: ["body", "link_url", "name", "object_story_id", "object_story_spec", "title"]
    case .adAccount, .adReportRun: []
    case .user, .application, .instagramAccount, .instagramContainer, .instagramMedia: []
    }
  }

  /// All fields of such an object, set or not; reading any other is an error.
  var fields: Set<String> { Self.fields[self] ?? [] }

  private static let adFields: Set<String> = [
    "account_id", "campaign_id", "created_time", "effective_status", "id", "updated_time",
  ]

  private static let fields: [NodeType: Set<String>] = [
    .user: [
      "about", "age_range", "birthday", "email", "first_name", "gender", "hometown", "id",
      "installed", "last_name", "link", "locale", "location", "middle_name", "name", "name_format",
      "picture", "quotes", "short_name", "timezone", "updated_time", "verified", "website",
    ],
    .page: [
      "about", "access_token", "category", "category_list", "cover", "description", "emails",
      "fan_count", "followers_count", "id", "instagram_business_account", "is_published", "link",
      "location", "name", "phone", "picture", "tasks", "username", "verification_status", "website",
    ],
    .post: [
      "created_time", "description", "from", "full_picture", "id", "is_hidden", "is_published",
      "link", "message", "name", "object_id", "parent_id", "permalink_url", "place", "privacy",
      "scheduled_publish_time", "shares", "status_type", "story", "to", "type", "updated_time",
    ],
    .photo: [
      "album", "alt_text", "backdated_time", "created_time", "from", "height", "icon", "id",
      "images", "link", "name", "page_story_id", "picture", "place", "source", "updated_time",
      "width",
    ],
    .comment: [
      "attachment", "can_comment", "can_hide", "can_like", "can_remove", "comment_count",
      "created_time", "from", "id", "is_hidden", "like_count", "message", "object", "parent",
      "permalink_url", "user_likes",
    ],
    .album: [
      "can_upload", "count", "cover_photo", "created_time", "description", "from", "id", "link",
      "location", "name", "place", "privacy", "type", "updated_time",
    ],
    .application: [
      "category", "description", "id", "link", "name", "namespace",
    ],
    .instagramAccount: ["id", "media_count", "name", "username"],
    .instagramContainer: ["id", "status", "status_code"],
    .instagramMedia: ["caption", "id", "media_type", "permalink", "timestamp"],
    .video: [
      "created_time", "description", "from", "id", "length", "permalink_url", "published",
      "source", "title", "updated_time",
    ],
    .adAccount: [
      "account_id", "account_status", "amount_spent", "balance", "currency", "id", "name",
      "timezone_name",
    ],
    .campaign: NodeType.campaign.changeableFields.union(adFields),
    .adSet: NodeType.adSet.changeableFields.union(adFields),
    .ad: NodeType.ad.changeableFields.union(adFields),
    .adCreative: NodeType.adCreative.changeableFields.union(["account_id", "id"]),
    .adReportRun: Set(reportFields),
  ]
}
