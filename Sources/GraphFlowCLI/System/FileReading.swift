#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads files whole, with a limit, and without following the way of a hostile path.
enum FileReading {
  /// More than any file that a command reads may hold: 160 MiB, the limit of a whole answer.
  static let limit = 160 << 20

  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/unreadable`` that names the path.
  static func bytes(of path: String, limit: Int = limit) throws -> [UInt8] {
    do {
      guard path != "-" else { return try bytes(from: STDIN_FILENO, limit: limit) }
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError.last }
      defer { close(descriptor) }
      return try bytes(from: descriptor, limit: limit)
    } catch let error as SystemError {
      throw CommandFailure(.unreadable, "cannot read '\(path)': \(error)")
    }
  }

  /// Everything that a descriptor yields until its end.
  ///
  /// - Throws: a ``SystemError``; `EFBIG` beyond the limit.
  static func bytes(from descriptor: Int32, limit: Int) throws -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError.last }
    var bytes: [UInt8] = []
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    bytes.reserveCapacity(isRegular ? min(Int(status.st_size), limit) &+ 1 : 65_536)
    while true {
      var failure: SystemError?
      let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { chunk in
        let count = read(descriptor, chunk.baseAddress, chunk.count)
        if count > 0 { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[..<count])) }
        if count < 0 { failure = SystemError.last }
        return count
      }
      if let failure {
        if failure.number == EINTR { continue }
        throw failure
      }
      if count == 0 { return bytes }
      if bytes.count > limit { throw SystemError(number: EFBIG) }
    }
  }

  /// Whether there is something at the path, readable or not.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Whether the path names a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the path names a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The names of a folder's entries, sorted by their bytes, without those that begin with a dot.
  static func entries(of folder: String) throws -> [String] {
    guard let stream = opendir(folder) else {
      throw CommandFailure(.unreadable, "cannot read '\(folder)': \(SystemError.last)")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
