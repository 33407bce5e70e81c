/// What is at a path in a workflow's folder.
package enum FilePresence: Hashable, Sendable {
  case file
  case missing
  /// Something outside the folder, through a link.
  case outside
  case unusable(String)
}
