internal import JSONPath

/// Finds names that Graph no longer has.
enum RetiredNames {
  private static let permissions = table(of: RetiredName.permissions)
  private static let edges = table(of: RetiredName.edges)
  private static let certainEdges = RetiredName.edges.filter { $0.source != .general }
    .map { (path: "/\($0.name)", row: $0) }

  private static func table(of rows: [RetiredName]) -> [String: RetiredName] {
    Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
  }

  static func permission(_ name: String) -> RetiredName? {
    if let row = permissions[name] { return row }
    // v2.0 and the changes of 2018 removed whole families.
    guard name.hasPrefix("friends_") || name.hasPrefix("user_actions.") else { return nil }
    return RetiredName(name)
  }

  static func warning(forPath path: Template) -> RuleFault? {
    guard case .text(let first)? = path.parts.first else {
      // `{…}/links`: an edge that no kind of node has any more.
      guard path.parts.count == 2, case .text(let rest) = path.parts[1],
        let edge = certainEdges.first(where: { $0.path == rest })?.row
      else { return nil }
      return edge.warning(of: "…/\(edge.name)")
    }
    // Most paths are an id, which has one segment.
    guard first.holds("/") || first.hasPrefix("fql") || first.hasPrefix("method") else {
      return nil
    }
    let segments = first.utf8.prefix { $0 != UInt8(ascii: "?") }
      .split(separator: UInt8(ascii: "/")).map { Substring($0) }
    if segments.first == "fql" || segments.first == "method" {
      var warning = RuleFault(
        .retiredEdge, "Graph has had no '\(segments[0])' since 2016",
        hint: "use field expansion, 'ids' or references between requests")
      warning.severity = .warning
      return warning
    }
    guard segments.count == 2, path.parts.count == 1, segments[0] == "me",
      let edge = edges[String(segments[1])]
    else { return nil }
    return edge.warning(of: "me/\(edge.name)")
  }
}

/// A name that Graph no longer has, and its replacement.
struct RetiredName: Sendable {
  /// Where the retirement is documented.
  enum Source: String, Sendable {
    case announcement = "Facebook for Developers, platform announcement of 2018-04-24"
    case changelogs = "Graph API, changelogs and \"Upgrading\""
    /// No page documents it, so it is only a note.
    case general = "general knowledge"
  }

  let name: String
  let replacement: String
  let source: Source
  /// The one name with the same meaning, if there is one.
  let fix: String?

  init(
    _ name: String, _ replacement: String = "nothing replaces it", _ source: Source = .general,
    fix: String? = nil
  ) {
    self.name = name
    self.replacement = replacement
    self.source = source
    self.fix = fix
  }

  /// A warning if the retirement is documented, else a note.
  var severity: Diagnostic.Severity { source == .general ? .note : .warning }

  fileprivate func warning(of shown: String) -> RuleFault {
    var warning = RuleFault(.retiredEdge, "Graph no longer has '\(shown)'", hint: replacement)
    warning.severity = severity
    return warning
  }

  /// The permissions; the notes about v19.0 come from the sources and tests of client libraries.
  static let permissions: [RetiredName] =
    [
      RetiredName("groups_access_member_info", "nothing replaces it since v19.0", .changelogs),
      RetiredName(
        "manage_pages",
        "use pages_show_list, pages_read_engagement, pages_read_user_content, "
          + "pages_manage_metadata or pages_manage_ads", .changelogs),
      RetiredName("offline_access", "use a long-lived token", .changelogs),
      RetiredName(
        "publish_actions", "use the share dialog; for pages, pages_manage_posts", .announcement),
      RetiredName(
        "publish_pages", "use pages_manage_posts or pages_manage_engagement", .changelogs),
      RetiredName(
        "publish_stream", "use the share dialog; for pages, pages_manage_posts", .changelogs),
      RetiredName("publish_to_groups", "nothing replaces it since v19.0", .changelogs),
      RetiredName("read_stream", "use user_posts", .changelogs, fix: "user_posts"),
      RetiredName("user_managed_groups", "nothing replaces it since v19.0", .changelogs),
      RetiredName("read_page_mailboxes", "use pages_messaging", fix: "pages_messaging"),
      RetiredName("user_status", "use user_posts", fix: "user_posts"),
    ]
    + [
      "create_event", "create_note", "manage_friendlists", "manage_notifications", "photo_upload",
      "read_custom_friendlists", "read_friendlists", "read_mailbox", "read_requests", "rsvp_event",
      "share_item", "sms", "status_update", "user_about_me", "user_activities", "user_checkins",
      "user_education_history", "user_games_activity", "user_groups", "user_interests",
      "user_relationship_details", "user_relationships", "user_religion_politics",
      "user_subscriptions", "user_website", "user_work_history", "xmpp_login",
    ].map { RetiredName($0) }

  /// The edges of the user: `me/…`.
  static let edges: [RetiredName] =
    [
      RetiredName("links", "use 'feed' or 'posts'", .changelogs),
      RetiredName("statuses", "use 'posts' or 'feed' with user_posts", .changelogs),
      RetiredName("inbox", "pages have the messaging platform"),
      RetiredName("outbox", "pages have the messaging platform"),
      RetiredName("promotable_posts", "use 'published_posts' or 'ads_posts'"),
    ]
    + [
      "checkins", "friendlists", "home", "invitable_friends", "notes", "notifications", "questions",
      "scores", "subscribers", "taggable_friends",
    ].map { RetiredName($0) }
}
