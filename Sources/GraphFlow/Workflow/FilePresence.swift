/// What is at a path in a workflow's folder.
package enum FilePresence: Hashable, Sendable {
  /// A file that can be read.
  case file
  /// Nothing.
  case missing
  /// Something, but a link leads to it out of the folder.
  case outside
  /// Something that cannot be read as a file, and why.
  case unusable(String)
}
