/// Edges and permissions that Graph no longer has, and what took their place.
///
/// Sources: the Graph API's changelogs and "Upgrading", the permissions reference, and the platform
/// announcement of 2018-04-24.
enum RetiredNames {
  private static let edges: [String: String] = [
    "checkins": "nothing replaces it",
    "friendlists": "nothing replaces it",
    "home": "nothing replaces it",
    "inbox": "pages have the messaging platform",
    "invitable_friends": "nothing replaces it",
    "links": "use 'feed' or 'posts'",
    "notes": "nothing replaces it",
    "notifications": "nothing replaces it",
    "outbox": "pages have the messaging platform",
    "promotable_posts": "use 'published_posts' or 'ads_posts'",
    "questions": "nothing replaces it",
    "scores": "nothing replaces it",
    "statuses": "use 'posts' or 'feed' with user_posts",
    "subscribers": "nothing replaces it",
    "taggable_friends": "nothing replaces it",
  ]

  private static let permissions: [String: String] = [
    "create_event": "nothing replaces it",
    "create_note": "nothing replaces it",
    "groups_access_member_info": "nothing replaces it since v19.0",
    "manage_friendlists": "nothing replaces it",
    "manage_notifications": "nothing replaces it",
    "manage_pages":
      "use pages_show_list, pages_read_engagement, pages_read_user_content, "
      + "pages_manage_metadata or pages_manage_ads",
    "offline_access": "use a long-lived token",
    "photo_upload": "nothing replaces it",
    "publish_actions": "use the share dialog; for pages, pages_manage_posts",
    "publish_pages": "use pages_manage_posts or pages_manage_engagement",
    "publish_stream": "use the share dialog; for pages, pages_manage_posts",
    "publish_to_groups": "nothing replaces it since v19.0",
    "read_custom_friendlists": "nothing replaces it",
    "read_friendlists": "nothing replaces it",
    "read_mailbox": "nothing replaces it",
    "read_page_mailboxes": "use pages_messaging",
    "read_requests": "nothing replaces it",
    "read_stream": "use user_posts",
    "rsvp_event": "nothing replaces it",
    "share_item": "nothing replaces it",
    "sms": "nothing replaces it",
    "status_update": "nothing replaces it",
    "user_about_me": "nothing replaces it",
    "user_checkins": "nothing replaces it",
    "user_education_history": "nothing replaces it",
    "user_games_activity": "nothing replaces it",
    "user_groups": "nothing replaces it",
    "user_managed_groups": "nothing replaces it since v19.0",
    "user_relationships": "nothing replaces it",
    "user_religion_politics": "nothing replaces it",
    "user_status": "use user_posts",
    "user_website": "nothing replaces it",
    "user_work_history": "nothing replaces it",
    "xmpp_login": "nothing replaces it",
  ]

  /// What replaces a permission, if it is retired.
  static func replacement(forPermission name: String) -> String? {
    if let replacement = permissions[name] { return replacement }
    return name.hasPrefix("friends_") || name.hasPrefix("user_actions.")
      ? "nothing replaces it" : nil
  }

  /// What to say about a path that leads to something retired.
  static func warning(forPath path: Template) -> (message: String, hint: String)? {
    guard case .text(let first)? = path.parts.first else { return nil }
    let segments = first.prefix { $0 != "?" }.split(separator: "/")
    if segments.first == "fql" || segments.first == "method" {
      return (
        "Graph has had no '\(segments[0])' since 2016",
        "use field expansion, 'ids' or references between requests"
      )
    }
    guard segments.count == 2, path.parts.count == 1, segments[0] == "me",
      let replacement = edges[String(segments[1])]
    else { return nil }
    return ("Graph has no 'me/\(segments[1])' any more", replacement)
  }
}
