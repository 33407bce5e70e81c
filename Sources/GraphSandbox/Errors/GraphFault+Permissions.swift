/// Errors about permissions (docs/internals/graph-api.md, Permissions).
extension GraphFault {
  static let permissionsError = numbered(200, "Permissions error")

  /// Posting on a user's timeline, since 2018-08-01 (docs/internals/graph-api.md, decision 38).
  static let timelineClosed = numbered(
    200,
    "The user hasn't authorized the application to perform this action"
  )

  static func requires(_ permission: String) -> GraphFault {
    numbered(299, "Requires extended permission: \(permission)")
  }

  static let pageReadingRequires = numbered(
    10,
    "This endpoint requires the 'pages_read_engagement' permission or the 'Page Public "
      + "Content Access' feature. Refer to https://developers.facebook.com/docs/apps/review/"
      + "login-permissions#manage-pages and https://developers.facebook.com/docs/apps/review/"
      + "feature#reference-PAGES_ACCESS for details."
  )

  static let pagePostingRequires = numbered(
    200,
    "If posting to a group, requires app being installed in the group, and either "
      + "publish_to_groups permission with user token, or both pages_read_engagement and "
      + "pages_manage_posts permission with page token; If posting to a page, requires both "
      + "pages_read_engagement and pages_manage_posts as an admin with sufficient administrative "
      + "permission"
  )
}
