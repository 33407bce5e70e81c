#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file at a path, without following links.
///
/// It is in this module because tests that import the command's module see two declarations of `stat`.
public struct FileKind: Hashable, Sendable {
  /// The permission bits.
  public let permissions: UInt32
  /// Whether it is a folder.
  public let isFolder: Bool
  /// The number of its names.
  public let links: Int

  /// Inspects a path; nil if there is nothing.
  public init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    permissions = UInt32(status.st_mode) & 0o777
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    links = Int(status.st_nlink)
  }
}
