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
