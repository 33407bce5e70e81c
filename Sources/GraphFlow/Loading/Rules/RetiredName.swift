/// A name that Graph no longer knows, and what took its place.
struct RetiredName: Sendable {
  /// What it named.
  enum Kind: Sendable {
    case permission
    /// An edge of the user: `me/…`.
    case edge
  }

  /// How certain it is.
  enum Confidence: Sendable {
    /// Meta's documentation says so.
    case confirmed
    /// The sources or tests of client libraries show it.
    case seen
    /// General knowledge, without a page to point at: worth no more than a note.
    case uncertain
  }

  /// Where it is written down.
  enum Source: String, Sendable {
    case announcement = "Facebook for Developers, platform announcement of 2018-04-24"
    case changelogs = "Graph API, changelogs and \"Upgrading\""
    case general = "general knowledge"
  }

  let kind: Kind
  let name: String
  /// What to do instead.
  let replacement: String
  let confidence: Confidence
  let source: Source
  /// The one name that means the same.
  let fix: String?

  /// A warning only where it is certain.
  var severity: Diagnostic.Severity { confidence == .uncertain ? .note : .warning }
}

extension RetiredName {
  /// The table.
  static let all: [RetiredName] = [
    row(.permission, "create_event", "nothing replaces it", .uncertain, .general),
    row(.permission, "create_note", "nothing replaces it", .uncertain, .general),
    row(
      .permission,
      "groups_access_member_info",
      "nothing replaces it since v19.0",
      .seen,
      .changelogs
    ),
    row(.permission, "manage_friendlists", "nothing replaces it", .uncertain, .general),
    row(.permission, "manage_notifications", "nothing replaces it", .uncertain, .general),
    row(
      .permission,
      "manage_pages",
      "use pages_show_list, pages_read_engagement, pages_read_user_content, "
        + "pages_manage_metadata or pages_manage_ads",
      .confirmed,
      .changelogs
    ),
    row(.permission, "offline_access", "use a long-lived token", .confirmed, .changelogs),
    row(.permission, "photo_upload", "nothing replaces it", .uncertain, .general),
    row(
      .permission,
      "publish_actions",
      "use the share dialog; for pages, pages_manage_posts",
      .confirmed,
      .announcement
    ),
    row(
      .permission,
      "publish_pages",
      "use pages_manage_posts or pages_manage_engagement",
      .confirmed,
      .changelogs
    ),
    row(
      .permission,
      "publish_stream",
      "use the share dialog; for pages, pages_manage_posts",
      .confirmed,
      .changelogs
    ),
    row(.permission, "publish_to_groups", "nothing replaces it since v19.0", .seen, .changelogs),
    row(.permission, "read_custom_friendlists", "nothing replaces it", .uncertain, .general),
    row(.permission, "read_friendlists", "nothing replaces it", .uncertain, .general),
    row(.permission, "read_mailbox", "nothing replaces it", .uncertain, .general),
    row(
      .permission,
      "read_page_mailboxes",
      "use pages_messaging",
      .uncertain,
      .general,
      fix: "pages_messaging"
    ),
    row(.permission, "read_requests", "nothing replaces it", .uncertain, .general),
    row(.permission, "read_stream", "use user_posts", .confirmed, .changelogs, fix: "user_posts"),
    row(.permission, "rsvp_event", "nothing replaces it", .uncertain, .general),
    row(.permission, "share_item", "nothing replaces it", .uncertain, .general),
    row(.permission, "sms", "nothing replaces it", .uncertain, .general),
    row(.permission, "status_update", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_about_me", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_activities", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_checkins", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_education_history", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_games_activity", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_groups", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_interests", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_managed_groups", "nothing replaces it since v19.0", .seen, .changelogs),
    row(.permission, "user_relationship_details", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_relationships", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_religion_politics", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_status", "use user_posts", .uncertain, .general, fix: "user_posts"),
    row(.permission, "user_subscriptions", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_website", "nothing replaces it", .uncertain, .general),
    row(.permission, "user_work_history", "nothing replaces it", .uncertain, .general),
    row(.permission, "xmpp_login", "nothing replaces it", .uncertain, .general),
    row(.edge, "checkins", "nothing replaces it", .uncertain, .general),
    row(.edge, "friendlists", "nothing replaces it", .uncertain, .general),
    row(.edge, "home", "nothing replaces it", .uncertain, .general),
    row(.edge, "inbox", "pages have the messaging platform", .uncertain, .general),
    row(.edge, "invitable_friends", "nothing replaces it", .uncertain, .general),
    row(.edge, "links", "use 'feed' or 'posts'", .confirmed, .changelogs),
    row(.edge, "notes", "nothing replaces it", .uncertain, .general),
    row(.edge, "notifications", "nothing replaces it", .uncertain, .general),
    row(.edge, "outbox", "pages have the messaging platform", .uncertain, .general),
    row(.edge, "promotable_posts", "use 'published_posts' or 'ads_posts'", .uncertain, .general),
    row(.edge, "questions", "nothing replaces it", .uncertain, .general),
    row(.edge, "scores", "nothing replaces it", .uncertain, .general),
    row(.edge, "statuses", "use 'posts' or 'feed' with user_posts", .confirmed, .changelogs),
    row(.edge, "subscribers", "nothing replaces it", .uncertain, .general),
    row(.edge, "taggable_friends", "nothing replaces it", .uncertain, .general),
  ]

  private static func row(
    _ kind: Kind,
    _ name: String,
    _ replacement: String,
    _ confidence: Confidence,
    _ source: Source,
    fix: String? = nil
  ) -> RetiredName {
    RetiredName(
      kind: kind,
      name: name,
      replacement: replacement,
      confidence: confidence,
      source: source,
      fix: fix
    )
  }
}
