#if canImport(Glibc)
import CLinux
#endif

/// An open folder: files that are opened through it are in it, even if a file is replaced by a link
/// meanwhile.
final class OpenFolder {
  /// Its descriptor, which is valid as long as this object exists.
  let descriptor: Int32

  #if canImport(Glibc)
  /// `O_PATH`, which Swift's Glibc does not declare: it opens a path without side effects.
  private static let pathOnly: Int32 = 0o10000000
  #else
  private static let pathOnly = O_RDONLY | O_NONBLOCK
  #endif
  private static let reading = O_RDONLY | O_NONBLOCK | O_NOCTTY

  /// Opens a folder by its path, and follows links.
  init(_ path: String) throws(SystemError) {
    descriptor = try SystemError.check(open(path, OpenFolder.pathOnly | O_DIRECTORY | O_CLOEXEC))
  }

  private init(at descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens a file in the folder for reading; links may lead to anything in the folder.
  ///
  /// - Throws: a ``SystemError``: `EXDEV` if the path leads out of the folder; also for anything but
  ///   a regular file, which is not opened.
  func file(at path: String) throws(SystemError) -> InputFile {
    // The system would resolve an absolute path from the root, and ignore what follows a NUL.
    guard path.utf8.first != UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw SystemError(number: EXDEV)
    }
    let place = try opened(path, OpenFolder.pathOnly)
    defer { close(place) }
    try FileStatus(of: place).expectFile()
    return try InputFile(regular: try opened(path, OpenFolder.reading))
  }

  /// A folder below this one, by a path without links (`ENOTDIR`); an empty path is this folder.
  func folder(at path: String) throws(SystemError) -> OpenFolder {
    var folder = self
    for name in path.utf8.split(separator: UInt8(ascii: "/")) {
      let flags = OpenFolder.pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      let next = openat(folder.descriptor, String(Substring(name)), flags)
      folder = OpenFolder(at: try SystemError.check(next))
    }
    return folder
  }

  #if canImport(Glibc)
  private func opened(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
    // RESOLVE_BENEATH: neither `..` nor a link leads out of the folder.
    let result = graphflow_openat2(descriptor, path, UInt64(flags | O_CLOEXEC), 0x08)
    if result >= 0 { return result }
    switch errno {
    // The kernel has no such call, or a container forbids it; a rename interfered; or an absolute
    // link may lead back into the folder.
    case ENOSYS, EPERM, EAGAIN, EXDEV: break
    default: throw SystemError.last
    }
    let place = try SystemError.check(openat(descriptor, path, OpenFolder.pathOnly | O_CLOEXEC))
    guard contains(place) else {
      close(place)
      throw SystemError(number: EXDEV)
    }
    guard flags != OpenFolder.pathOnly else { return place }
    defer { close(place) }
    // This opens the file that was checked, even if its name is now that of another file.
    return try SystemError.check(open("/proc/self/fd/\(place)", flags | O_CLOEXEC))
  }
  #else
  private func opened(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
    let file = try SystemError.check(openat(descriptor, path, flags | O_CLOEXEC))
    guard contains(file) else {
      close(file)
      throw SystemError(number: EXDEV)
    }
    return file
  }
  #endif

  /// Whether an open file is in the folder; false if the system cannot tell.
  private func contains(_ other: Int32) -> Bool {
    let root = OpenFolder.path(of: descriptor)
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    guard !root.isEmpty else { return false }
    return OpenFolder.path(of: other).starts(with: root == [slash] ? root : root + [slash])
  }

  /// The path of an open file, according to the system; empty if it is unknown.
  private static func path(of descriptor: Int32) -> [CChar] {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    #if canImport(Glibc)
    guard readlink("/proc/self/fd/\(descriptor)", &path, path.count - 1) > 0 else { return [] }
    #else
    guard fcntl(descriptor, F_GETPATH, &path) >= 0 else { return [] }
    #endif
    return Array(path.prefix { $0 != 0 })
  }
}
