#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A folder that only its owner may look into, whatever the umask.
package struct PrivateFolder {
  package let path: String

  /// The folder at a path; it and those above it are made with mode 0700 where they are missing.
  ///
  /// Folders that exist keep their mode: they are the user's.
  package init(making path: String) throws(JournalError) {
    self.path = path
    guard mkdir(path, 0o700) != 0 else {
      try finish()
      return
    }
    if errno == ENOENT, let parent = PrivateFolder.parent(of: path) {
      _ = try PrivateFolder(making: parent)
      if mkdir(path, 0o700) == 0 {
        try finish()
        return
      }
    }
    guard errno == EEXIST, isFolder else { throw JournalError(.cannotCreate, failingAt: path) }
  }

  /// A folder that holds what is trusted later: made as above, and refused if others may write to it.
  ///
  /// - Throws: also `foreign`, for a link, and for a folder of somebody else.
  init(trusted path: String) throws(JournalError) {
    try self.init(making: path)
    try PrivateFolder.refuseForeign(path)
  }

  /// Refuses a folder or file that somebody else could have put there or changed; nothing is fine.
  ///
  /// The owner counts as well as the mode: in a folder that others may write to, such as a shared
  /// state directory, anybody can put a folder or a link of the right name.
  ///
  /// - Throws: `foreign`.
  static func refuseForeign(_ path: String) throws(JournalError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let problem: String? =
      if status.st_mode & S_IFMT == S_IFLNK {
        "this is a symbolic link, and may lead to somebody else's files"
      } else if status.st_uid != geteuid() {
        "this belongs to another user (\(status.st_uid))"
      } else if status.st_mode & 0o022 != 0 {
        "others may write to this (mode \(String(status.st_mode & 0o7777, radix: 8))); "
          + "if it is as you left it: chmod go-w"
      } else {
        nil
      }
    if let problem { throw JournalError(.foreign, path: path, message: problem) }
  }

  /// A folder that must not exist yet, in a folder that does.
  init(makingNew path: String) throws(JournalError) {
    self.path = path
    guard mkdir(path, 0o700) == 0 else { throw JournalError(.cannotCreate, failingAt: path) }
    try finish()
  }

  /// Makes an empty file with mode 0600 that must not exist yet, and syncs its name to the disk.
  func makeFile(_ name: String) throws(JournalError) {
    let file = try OpenFile("\(path)/\(name)", for: .makingNew)
    try file.makePrivate()
    try PrivateFolder.sync(path)
  }

  /// The folder that holds a path; nil for the root and for a relative path of one part.
  static func parent(of path: String) -> String? {
    var bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    guard let end = bytes.lastIndex(of: slash), bytes.count > 1 else { return nil }
    return end == 0 ? "/" : String(decoding: bytes[..<end], as: UTF8.self)
  }

  private var isFolder: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The umask may have taken rights from the owner; and a new name survives a power cut only once
  /// the folder that holds it is synced.
  private func finish() throws(JournalError) {
    guard chmod(path, 0o700) == 0 else { throw JournalError(.cannotCreate, failingAt: path) }
    try PrivateFolder.sync(PrivateFolder.parent(of: path) ?? ".")
  }

  private static func sync(_ folder: String) throws(JournalError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A folder that may be written but not read cannot be opened; the run is no worse for it.
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
