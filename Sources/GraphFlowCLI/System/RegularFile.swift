/// An open file that is read piece by piece.
///
/// A class, because whoever reads on holds the same file open.
final class RegularFile {
  /// What the system knows it by, as long as this object lives.
  let descriptor: Int32

  /// Opens a file; nothing else is opened, for a pipe could keep the reader waiting for ever.
  ///
  /// - Throws: a ``SystemError``.
  convenience init(_ path: String) throws(SystemError) {
    // Opening a device may do something, so what it is is asked before, and again once it is open.
    guard let status = FileStatus(path) else { throw SystemError.last }
    try status.expectFile()
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    try self.init(taking: try SystemError.check(open(path, flags)))
  }

  /// Opens a file by its name in a folder, and no link.
  ///
  /// - Throws: a ``SystemError``; `ELOOP` for a link.
  convenience init(itself name: String, in folder: OpenFolder) throws(SystemError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    try self.init(taking: try SystemError.check(openat(folder.descriptor, name, flags)))
  }

  /// Takes over what has been opened.
  ///
  /// - Throws: a ``SystemError``, also for what is no file.
  init(taking descriptor: Int32) throws(SystemError) {
    self.descriptor = descriptor
    try FileStatus(of: descriptor).expectFile()
  }

  deinit { close(descriptor) }

  /// The next bytes, at most so many; none at the end.
  func read(_ size: Int) throws(SystemError) -> [UInt8] {
    while true {
      var failure: SystemError?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        #if canImport(Glibc)
        let result = Glibc.read(descriptor, buffer.baseAddress, size)
        #else
        let result = Darwin.read(descriptor, buffer.baseAddress, size)
        #endif
        if result < 0 { failure = SystemError.last }
        count = max(0, result)
      }
      guard let failure else { return bytes }
      guard failure.number == EINTR else { throw failure }
    }
  }

  /// The next bytes; fewer only at the end.
  func read(exactly count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try read(count - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}
