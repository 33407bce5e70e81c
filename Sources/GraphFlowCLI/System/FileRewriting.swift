/// Gives a file new contents: whole, or not at all.
enum FileRewriting {
  /// Replaces the contents of a file; its mode and owner stay.
  ///
  /// No link is followed from the file's folder on: what is written lies there, even if somebody
  /// swaps a file or a folder for a link meanwhile.
  ///
  /// - Parameters:
  ///   - place: The file.
  ///   - old: What it held when it was read; if that has changed since, nothing is written.
  ///   - new: What it is to hold.
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/cannotWrite``; the file is then as it was.
  static func replace(_ place: FilePlace, holding old: [UInt8], with new: [UInt8]) throws {
    var names = place.name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    let name = names.popLast() ?? ""
    do {
      let folder = try OpenFolder(place.folder).folder(at: names.joined(separator: "/"))
      try replace(name, in: folder, old, new)
    } catch let error as SystemError {
      let isLink = error.number == ELOOP
      throw CommandFailure(
        .cannotWrite,
        "cannot write '\(place.path)': \(isLink ? "It is a link" : error.description)",
        hint: isLink ? "name the file that it leads to" : nil
      )
    }
  }

  private static func replace(
    _ name: String,
    in folder: OpenFolder,
    _ old: [UInt8],
    _ new: [UInt8]
  ) throws {
    let file = try RegularFile(itself: name, in: folder)
    let status = try FileStatus(of: file.descriptor)
    // Who may not write the file may not replace it either, whatever the folder allows.
    try SystemError.check(faccessat(folder.descriptor, name, W_OK, 0))
    let temporary = "\(name).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = try SystemError.check(openat(folder.descriptor, temporary, flags, 0o600))
    do {
      defer { close(descriptor) }
      // Only root may give a file away; its mode is what matters to everybody else.
      _ = fchown(descriptor, status.owner, status.group)
      try SystemError.check(fchmod(descriptor, status.permissions))
      if let error = Terminal.write(new, to: descriptor) { throw error }
      try SystemError.check(fsync(descriptor))
      guard try FileReading.bytes(of: try RegularFile(itself: name, in: folder)) == old else {
        throw SystemError(number: EBUSY)
      }
      try SystemError.check(renameat(folder.descriptor, temporary, folder.descriptor, name))
    } catch {
      unlinkat(folder.descriptor, temporary, 0)
      throw error
    }
  }
}
