#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A folder that only its owner can read, whatever the umask is.
package struct PrivateFolder {
  package let path: String

  /// Opens the folder at a path; it and its parents are created with mode 0700 if they do not exist.
  ///
  /// Existing folders keep their mode, because they belong to the user.
  package init(creating path: String) throws(JournalError) {
    self.path = path
    var isNew = mkdir(path, 0o700) == 0
    if !isNew, errno == ENOENT, let parent = PrivateFolder.parent(of: path) {
      _ = try PrivateFolder(creating: parent)
      isNew = mkdir(path, 0o700) == 0
    }
    if isNew {
      try secureAndSync()
    } else if errno != EEXIST || !isFolder {
      throw JournalError(.cannotCreate, failingAt: path)
    }
  }

  /// Refuses a folder or file that another user could have created or changed.
  ///
  /// A path without a file is accepted. The owner is checked as well as the mode: in a folder that
  /// others may write to, such as a shared state directory, any user can create a folder or a link with
  /// the right name.
  ///
  /// - Throws: `foreign`.
  static func refuseForeign(_ path: String) throws(JournalError) {
    guard let status = fileStatus(path) else { return }
    let problem: String? =
      if status.st_mode & S_IFMT == S_IFLNK {
        "this is a symbolic link, and may lead to another user's files"
      } else if status.st_uid != geteuid() {
        "this belongs to another user (\(status.st_uid))"
      } else if status.st_mode & 0o022 != 0 {
        "others may write to this (mode \(String(status.st_mode & 0o7777, radix: 8))); "
          + "if you trust its contents: chmod go-w"
      } else {
        nil
      }
    if let problem { throw JournalError(.foreign, path: path, message: problem) }
  }

  /// Creates a folder that must not exist yet, in a folder that does.
  init(creatingNew path: String) throws(JournalError) {
    self.path = path
    guard mkdir(path, 0o700) == 0 else { throw JournalError(.cannotCreate, failingAt: path) }
    try secureAndSync()
  }

  /// Creates an empty file with mode 0600 that must not exist yet, and syncs the folder.
  func createFile(_ name: String) throws(JournalError) {
    let file = try OpenFile("\(path)/\(name)", for: .creatingNew)
    try file.makePrivate()
    try PrivateFolder.sync(path)
  }

  /// The parent folder of a path; nil for the root and for a relative path of one part.
  static func parent(of path: String) -> String? {
    var bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    guard let end = bytes.lastIndex(of: slash), bytes.count > 1 else { return nil }
    return end == 0 ? "/" : String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Links are followed.
  private var isFolder: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Sets the mode, because the umask may remove permissions of the owner, and syncs the parent folder,
  /// because otherwise a power failure could remove the new name.
  private func secureAndSync() throws(JournalError) {
    guard chmod(path, 0o700) == 0 else { throw JournalError(.cannotCreate, failingAt: path) }
    try PrivateFolder.sync(PrivateFolder.parent(of: path) ?? ".")
  }

  private static func sync(_ folder: String) throws(JournalError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A folder that is writable but not readable cannot be opened; the run does not need the sync.
      if errno == EACCES { return }
      throw JournalError(.cannotCreate, failingAt: folder)
    }
    defer { close(descriptor) }
    // Some file systems refuse to sync folders (EINVAL) because they need not be synced.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw JournalError(.cannotWrite, failingAt: folder)
    }
  }
}
