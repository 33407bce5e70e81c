/// An open file that is read piece by piece; a class, because all readers share it.
final class RegularFile {
  /// Its descriptor, which is valid as long as this object exists.
  let descriptor: Int32

  /// Opens a regular file; anything else is refused, because a pipe could block the reader forever.
  convenience init(_ path: String) throws(SystemError) {
    // Opening a device may have effects, so the kind is checked before and after opening.
    guard let status = FileStatus(path) else { throw SystemError.last }
    try status.expectFile()
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    try self.init(taking: try SystemError.check(open(path, flags)))
  }

  /// Opens a file by its name in a folder; a link is not followed (`ELOOP`).
  convenience init(itself name: String, in folder: OpenFolder) throws(SystemError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    try self.init(taking: try SystemError.check(openat(folder.descriptor, name, flags)))
  }

  /// Takes ownership of an open descriptor.
  init(taking descriptor: Int32) throws(SystemError) {
    self.descriptor = descriptor
    try FileStatus(of: descriptor).expectFile()
  }

  deinit { close(descriptor) }

  /// The next bytes, at most `size`; none at the end.
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
