import GraphFlow

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

/// The folder of a workflow file: a workflow may send only files in it.
struct WorkflowFolder: Sendable {
  let path: String
  /// The places of files that the user has given, anywhere, by their paths in the workflow.
  let given: [String: String]

  /// The folder of a workflow file; the current folder for standard input.
  init(of file: String, given: [String: String] = [:]) {
    self.given = given
    let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
    path = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
  }

  /// The current folder; nil if it was removed.
  static var current: String? {
    let path = StateDirectory.canonical(".")
    return path == "." ? nil : path
  }

  func bytes(of relative: String) throws -> [UInt8] {
    let file = try file(at: relative)
    do { return try FileReading.bytes(of: file) } catch {
      throw CommandFailure(.unreadable, "cannot read '\(relative)': \(error)")
    }
  }

  /// Opens a regular file inside the folder; a file that is outside when it is opened is refused.
  func file(at relative: String) throws -> InputFile {
    do throws(SystemError) {
      if let place = given[relative] { return try InputFile(regular: place) }
      return try OpenFolder(path).file(at: relative)
    } catch {
      throw CommandFailure(
        .unreadable,
        error.number == EXDEV
          ? "'\(relative)' lies outside the workflow's folder"
          : "cannot read '\(relative)': \(error)")
    }
  }

  func presence(of relative: String) -> FilePresence {
    if given[relative] != nil { return .file }
    let folder: OpenFolder
    do { folder = try OpenFolder(path) } catch { return .unusable(error.description) }
    do throws(SystemError) {
      _ = try folder.file(at: relative)
      return .file
    } catch {
      switch error.number {
      case ENOENT: return .missing
      case EXDEV: return .outside
      default: return .unusable(error.description)
      }
    }
  }

  /// A function that checks paths in the folder of a workflow file, each path once.
  static func presence(besides file: String) -> (_ path: String) -> FilePresence {
    let folder = WorkflowFolder(of: file)
    var known: [String: FilePresence] = [:]
    return { path in
      if let presence = known[path] { return presence }
      let presence = folder.presence(of: path)
      known[path] = presence
      return presence
    }
  }
}

/// A file, and the folder in which links are followed to it.
struct FilePlace: Hashable, Sendable {
  /// The path for messages.
  let path: String
  let folder: String
  let name: String
}

extension FilePlace {
  init(_ path: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    self.init(
      path: path, folder: WorkflowFolder(of: path).path,
      name: slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path)
  }

  /// Replaces the contents of the file atomically; its mode and owner stay.
  ///
  /// No link below the file's folder is followed, even if a file or a folder is replaced by a link
  /// meanwhile. If the contents have changed since they were read, or the function throws, the file
  /// stays as it was.
  func replace(_ old: [UInt8], with new: [UInt8]) throws {
    var names = name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    let name = names.popLast() ?? ""
    do {
      let folder = try OpenFolder(self.folder).folder(at: names.joined(separator: "/"))
      try Self.replace(name, in: folder, old, new)
    } catch let error as SystemError {
      let isLink = error.number == ELOOP
      throw CommandFailure(
        .cannotWrite,
        "cannot write '\(path)': \(isLink ? "It is a link" : error.description)",
        hint: isLink ? "name the file that it leads to" : nil)
    }
  }

  private static func replace(
    _ name: String, in folder: OpenFolder, _ old: [UInt8], _ new: [UInt8]
  ) throws {
    let file = try InputFile(itself: name, in: folder)
    let status = try FileStatus(of: file.descriptor)
    // A file that is not writable must not be replaced either, even if the folder allows it.
    try SystemError.check(faccessat(folder.descriptor, name, W_OK, 0))
    let temporary = "\(name).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = try SystemError.check(openat(folder.descriptor, temporary, flags, 0o600))
    do {
      defer { close(descriptor) }
      // Only root may change the owner; for other users the mode is enough.
      _ = fchown(descriptor, status.owner, status.group)
      try SystemError.check(fchmod(descriptor, status.permissions))
      if let error = Terminal.write(new, to: descriptor) { throw error }
      try SystemError.check(fsync(descriptor))
      guard try FileReading.bytes(of: try InputFile(itself: name, in: folder)) == old else {
        throw SystemError(number: EBUSY)
      }
      try SystemError.check(renameat(folder.descriptor, temporary, folder.descriptor, name))
    } catch {
      unlinkat(folder.descriptor, temporary, 0)
      throw error
    }
  }
}
