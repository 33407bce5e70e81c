import JSONPath

/// What a user may do on a page, as `tasks` of `me/accounts` lists it.
///
/// Sources: Pages API, "Overview", tasks; Permissions Reference, the tasks that permissions need;
/// Marketing API, "Retrieving Leads".
package enum PageTask: String {
  case advertise = "ADVERTISE"
  case analyze = "ANALYZE"
  case createContent = "CREATE_CONTENT"
  case manage = "MANAGE"
  case messaging = "MESSAGING"
  case moderate = "MODERATE"

  /// The task that a permission needs, by its name.
  package static let needed: [String: PageTask] = [
    "leads_retrieval": .advertise, "pages_manage_engagement": .moderate,
    "pages_manage_posts": .createContent,
    "pages_messaging": .messaging, "read_insights": .analyze,
  ]

  /// The first permission whose task is not in a user's tasks; full control includes every task.
  static func lacking(
    for permissions: [String], in tasks: [JSON]
  ) -> (permission: String, task: PageTask)? {
    // For each item of a run, and there are at most seven tasks: no set is made.
    func has(_ task: PageTask) -> Bool { tasks.contains { $0.string == task.rawValue } }
    for permission in permissions {
      if let task = needed[permission], !has(task), !has(.manage) { return (permission, task) }
    }
    return nil
  }
}
