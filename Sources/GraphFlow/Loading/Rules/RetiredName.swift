/// A name that Graph no longer knows, and what took its place.
struct RetiredName: Sendable {
  /// What it named.
  enum Kind: Sendable {
    case permission
    /// An edge of the user: `me/…`.
    case edge
  }

  /// Where it is written down.
  enum Source: String, Sendable {
    case announcement = "Facebook for Developers, platform announcement of 2018-04-24"
    case changelogs = "Graph API, changelogs and \"Upgrading\""
    /// Without a page to point at: worth no more than a note.
    case general = "general knowledge"
  }

  let kind: Kind
  let name: String
  /// What to do instead.
  var replacement = "nothing replaces it"
  var source = Source.general
  /// The one name that means the same.
  var fix: String?

  /// A warning only where it is certain.
  var severity: Diagnostic.Severity { source == .general ? .note : .warning }
}

extension RetiredName {
  /// The table.
  static let all =
    documented + known
    + permissionsWithoutSuccessor.map { RetiredName(kind: .permission, name: $0) }
    + edgesWithoutSuccessor.map { RetiredName(kind: .edge, name: $0) }

  /// What Meta says, or, of v19.0, the sources and tests of client libraries show.
  private static let documented = [
    row(.permission, "groups_access_member_info", "nothing replaces it since v19.0", .changelogs),
    row(
      .permission,
      "manage_pages",
      "use pages_show_list, pages_read_engagement, pages_read_user_content, "
        + "pages_manage_metadata or pages_manage_ads",
      .changelogs
    ),
    row(.permission, "offline_access", "use a long-lived token", .changelogs),
    row(
      .permission,
      "publish_actions",
      "use the share dialog; for pages, pages_manage_posts",
      .announcement
    ),
    row(
      .permission,
      "publish_pages",
      "use pages_manage_posts or pages_manage_engagement",
      .changelogs
    ),
    row(
      .permission,
      "publish_stream",
      "use the share dialog; for pages, pages_manage_posts",
      .changelogs
    ),
    row(.permission, "publish_to_groups", "nothing replaces it since v19.0", .changelogs),
    row(.permission, "read_stream", "use user_posts", .changelogs, fix: "user_posts"),
    row(.permission, "user_managed_groups", "nothing replaces it since v19.0", .changelogs),
    row(.edge, "links", "use 'feed' or 'posts'", .changelogs),
    row(.edge, "statuses", "use 'posts' or 'feed' with user_posts", .changelogs),
  ]

  /// What is generally known, and has a successor.
  private static let known = [
    row(.permission, "read_page_mailboxes", "use pages_messaging", fix: "pages_messaging"),
    row(.permission, "user_status", "use user_posts", fix: "user_posts"),
    row(.edge, "inbox", "pages have the messaging platform"),
    row(.edge, "outbox", "pages have the messaging platform"),
    row(.edge, "promotable_posts", "use 'published_posts' or 'ads_posts'"),
  ]

  /// What is generally known, and has none.
  private static let permissionsWithoutSuccessor = [
    "create_event", "create_note", "manage_friendlists", "manage_notifications", "photo_upload",
    "read_custom_friendlists", "read_friendlists", "read_mailbox", "read_requests", "rsvp_event",
    "share_item", "sms", "status_update", "user_about_me", "user_activities", "user_checkins",
    "user_education_history", "user_games_activity", "user_groups", "user_interests",
    "user_relationship_details", "user_relationships", "user_religion_politics",
    "user_subscriptions", "user_website", "user_work_history", "xmpp_login",
  ]

  private static let edgesWithoutSuccessor = [
    "checkins", "friendlists", "home", "invitable_friends", "notes", "notifications", "questions",
    "scores", "subscribers", "taggable_friends",
  ]

  private static func row(
    _ kind: Kind,
    _ name: String,
    _ replacement: String,
    _ source: Source = .general,
    fix: String? = nil
  ) -> RetiredName {
    RetiredName(kind: kind, name: name, replacement: replacement, source: source, fix: fix)
  }
}
