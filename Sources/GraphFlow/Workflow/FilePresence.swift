/// What is at a path in a workflow's folder.
package enum FilePresence: Hashable, Sendable {
  /// A file that can be read.
  case file
  /// Nothing.
  case missing
  /// Something outside the folder, through a link.
  case outside
  /// Something that cannot be read as a file, and the reason.
  case unusable(String)
}
