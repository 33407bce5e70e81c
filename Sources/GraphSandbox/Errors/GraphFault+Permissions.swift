/// Errors about permissions (docs/graph-api.md, Permissions).
extension GraphFault {
  static let permissionsError = GraphFault("(#200) Permissions error", code: 200)

  /// Posting on a user's timeline, since 2018-08-01 (docs/graph-api.md, decision 38).
  static let timelineClosed = GraphFault(
    "(#200) The user hasn't authorized the application to perform this action",
    code: 200
  )

  static func requires(_ permission: String) -> GraphFault {
    GraphFault("(#299) Requires extended permission: \(permission)", code: 299)
  }

  static let pageReadingRequires = GraphFault(
    "(#10) This endpoint requires the 'pages_read_engagement' permission or the 'Page Public "
      + "Content Access' feature. Refer to https://developers.facebook.com/docs/apps/review/"
      + "login-permissions#manage-pages and https://developers.facebook.com/docs/apps/review/"
      + "feature#reference-PAGES_ACCESS for details.",
    code: 10
  )

  static let pagePostingRequires = GraphFault(
    "(#200) If posting to a group, requires app being installed in the group, and either "
      + "publish_to_groups permission with user token, or both pages_read_engagement and "
      + "pages_manage_posts permission with page token; If posting to a page, requires both "
      + "pages_read_engagement and pages_manage_posts as an admin with sufficient administrative "
      + "permission",
    code: 200
  )
}
