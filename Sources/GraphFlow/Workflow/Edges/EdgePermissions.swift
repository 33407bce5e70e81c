package import GraphAPI

/// The permissions that an edge of the Graph API needs.
///
/// A row with a source is confirmed by an endpoint's page, the Pages API's guides or the
/// permissions reference. A row without a source is not. One of several sets of permissions is
/// enough.
package struct EdgePermissions: Sendable {
  /// The kind of node that the edge belongs to, as a path shows it.
  enum Node: Sendable {
    case me
    /// A page of the user: an id that comes from `me/accounts`.
    case ownPage
    /// An ad account: `act_…`.
    case adAccount
    /// Any node but `me`: only one kind of node has the edge.
    case other
  }

  package let method: OperationMethod
  let node: Node
  let edge: Substring
  /// Sets of permissions; one set is needed.
  package let anyOf: [[String]]
  /// The page of Meta's documentation; nil if none documents it, so the diagnostic is only a note.
  package let source: String?

  package var shown: String {
    switch node {
    case .me: "me/\(edge)"
    case .ownPage: "PAGE/\(edge)"
    case .adAccount: "act_…/\(edge)"
    case .other: "…/\(edge)"
    }
  }

  /// The row of a request's edge.
  static func row(
    of request: Workflow.Request, _ path: EdgePath, in workflow: Workflow
  ) -> EdgePermissions? {
    path.edge.flatMap { edge in
      byEdge[edge]?.first {
        $0.method == request.method && path.begins(at: $0.node, in: workflow)
      }
    }
  }

  /// The permissions of the set of which the fewest are missing; nil if a set lacks none.
  func shortage(_ isUngranted: (String) -> Bool) -> [String]? {
    let lacks = anyOf.map { $0.filter(isUngranted) }
    return lacks.contains([]) ? nil : lacks.min { $0.count < $1.count }
  }

  /// The edges that need a permission, be it one of several.
  package static func edges(needing permission: String) -> [EdgePermissions] {
    all.filter { row in row.anyOf.contains { $0.contains(permission) } }
  }

  /// Whether an edge needs a permission that a list has no other set in place of.
  func lacks(_ permission: String, besides listed: [String]) -> Bool {
    anyOf.contains { $0.contains(permission) }
      && !anyOf.contains { !$0.contains(permission) && $0.allSatisfy(listed.contains) }
  }

  static let byEdge = Dictionary(grouping: all, by: \.edge)
  static let edges = Set(byEdge.keys)
  private static let publishing = [["pages_manage_posts", "pages_read_engagement"]]
  private static let engaging = [
    ["pages_manage_engagement"], ["instagram_manage_comments"],
    ["instagram_business_manage_comments"],
  ]
  private static let instagram = [
    ["instagram_basic", "instagram_content_publish", "pages_read_engagement"],
    ["instagram_business_basic", "instagram_business_content_publish"],
  ]
  private static let readingAds = [["ads_read"], ["ads_management"]]

  static let all: [EdgePermissions] =
    [
      row(.get, .me, "accounts", [["pages_show_list"]], "Graph API Reference, User Accounts"),
      row(.post, .other, "feed", publishing, "Graph API Reference, Page Feed"),
      row(.get, .ownPage, "feed", [["pages_read_engagement"]], "Graph API Reference, Page Feed"),
      row(.get, .ownPage, "posts", [["pages_read_engagement"]], "Graph API Reference, Page Feed"),
      row(
        .get, .ownPage, "photos", [["pages_read_engagement", "pages_show_list"]],
        "Graph API Reference, Page Photos"),
      row(
        .post, .ownPage, "videos",
        [["pages_manage_posts", "pages_read_engagement", "publish_video"]],
        "Graph API Reference, Page Videos"),
      row(.post, .other, "comments", engaging, "Pages API, Comments and @Mentions"),
      row(.post, .other, "likes", [["pages_manage_engagement"]], "Pages API, Comments"),
      row(.post, .other, "media", instagram, "Instagram Platform, IG User Media"),
      row(.post, .other, "media_publish", instagram, "Instagram Platform, IG User Media Publish"),
      row(.get, .adAccount, "insights", readingAds, "Marketing API, Ad Account Insights"),
      row(.get, .adAccount, "campaigns", readingAds, "Marketing API, Ad Account Campaigns"),
    ]
    + ["campaigns", "adsets", "ads", "adcreatives"].map { edge in
      row(.post, .adAccount, edge, [["ads_management"]], "Marketing API, Ad Account")
    } + uncertain

  /// Rows that are generally known but that no page documents.
  private static let uncertain: [EdgePermissions] = [
    row(.post, .ownPage, "photos", publishing),
    row(.get, .ownPage, "insights", [["pages_read_engagement", "read_insights"]]),
    row(.get, .other, "video_insights", [["pages_read_engagement", "read_insights"]]),
    row(.get, .ownPage, "videos", [["pages_read_engagement"]]),
    row(.get, .ownPage, "published_posts", [["pages_read_engagement"]]),
    row(.get, .ownPage, "scheduled_posts", [["pages_read_engagement"]]),
    row(.get, .ownPage, "ratings", [["pages_read_user_content"]]),
    row(.get, .ownPage, "tagged", [["pages_read_user_content"]]),
    row(.get, .ownPage, "visitor_posts", [["pages_read_user_content"]]),
    row(.delete, .other, "likes", [["pages_manage_engagement"]]),
    row(.get, .ownPage, "subscribed_apps", [["pages_manage_metadata"]]),
    row(.post, .ownPage, "subscribed_apps", [["pages_manage_metadata"]]),
    row(.delete, .ownPage, "subscribed_apps", [["pages_manage_metadata"]]),
    row(.get, .ownPage, "conversations", [["pages_messaging"]]),
    row(.get, .ownPage, "leadgen_forms", [["leads_retrieval", "pages_manage_ads"]]),
    row(.get, .other, "leads", [["leads_retrieval"]]),
    row(.get, .me, "adaccounts", readingAds),
    row(.get, .me, "businesses", [["business_management"]]),
    row(.get, .me, "friends", [["user_friends"]]),
  ]

  private static func row(
    _ method: OperationMethod, _ node: Node, _ edge: Substring, _ anyOf: [[String]],
    _ source: String? = nil
  ) -> EdgePermissions {
    EdgePermissions(method: method, node: node, edge: edge, anyOf: anyOf, source: source)
  }
}
