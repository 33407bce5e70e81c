/// Reads files as a whole, with a limit on their size.
enum FileReading {
  /// The largest file that a command reads: 160 MiB, the limit of a whole answer.
  static let limit = 160 << 20

  /// How much of a too large file is kept: enough to show its first line.
  private static let excerpt = 65_536

  /// The bytes of a file, or of standard input for `-`.
  static func bytes(of path: String, limit: Int = limit) throws -> [UInt8] {
    let (bytes, isWhole) = try beginning(of: path, limit: limit)
    guard isWhole else { throw failure(at: path, SystemError(number: EFBIG)) }
    return bytes
  }

  /// The bytes of a file, or of standard input for `-`; beyond `limit` only the first bytes.
  static func beginning(of path: String, limit: Int) throws -> (bytes: [UInt8], isWhole: Bool) {
    do {
      guard path != "-" else { return try beginning(from: STDIN_FILENO, limit: limit) }
      guard !isDescriptor(path) else {
        let descriptor = try SystemError.check(open(path, O_RDONLY | O_CLOEXEC))
        defer { close(descriptor) }
        return try beginning(from: descriptor, limit: limit)
      }
      return try beginning(of: try RegularFile(path), limit: limit)
    } catch let error as SystemError {
      throw failure(at: path, error)
    }
  }

  /// The bytes of an open file; beyond `limit` only the first bytes.
  static func beginning(
    of file: RegularFile, limit: Int = limit
  ) throws -> (bytes: [UInt8], isWhole: Bool) {
    defer { withExtendedLifetime(file) {} }
    return try beginning(from: file.descriptor, limit: limit)
  }

  static func bytes(of file: RegularFile, limit: Int = limit) throws -> [UInt8] {
    defer { withExtendedLifetime(file) {} }
    return try bytes(from: file.descriptor, limit: limit)
  }

  static func bytes(from descriptor: Int32, limit: Int) throws -> [UInt8] {
    let (bytes, isWhole) = try beginning(from: descriptor, limit: limit)
    guard isWhole else { throw SystemError(number: EFBIG) }
    return bytes
  }

  private static func beginning(
    from descriptor: Int32, limit: Int
  ) throws -> (bytes: [UInt8], isWhole: Bool) {
    let status = try FileStatus(of: descriptor)
    var bytes: [UInt8] = []
    let isTooLarge = status.isFile && status.size > limit
    // A file that is too large is not read any further.
    let end = isTooLarge ? min(limit, excerpt) : limit
    bytes.reserveCapacity(status.isFile ? min(status.size, limit) &+ 1 : excerpt)
    while !isTooLarge || bytes.count < end {
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
      if count == 0 { return (bytes, !isTooLarge) }
      if bytes.count > limit { break }
      // Growing by doubling would need twice the memory; reserved memory is not used yet.
      if bytes.count > 8 << 20 { bytes.reserveCapacity(limit + 65_536) }
    }
    return (Array(bytes.prefix(excerpt)), false)
  }

  /// Whether a path names an open descriptor, such as `<(…)` of a shell, which may be a pipe.
  static func isDescriptor(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }

  private static func failure(at path: String, _ error: SystemError) -> CommandFailure {
    let isDangling = error.number == ENOENT && FileStatus(path, ofLink: true)?.isLink == true
    let reason = isDangling ? "The link leads to nothing" : error.description
    return CommandFailure(.unreadable, "cannot read '\(path)': \(reason)")
  }

  /// A path without links and dots; nil if it does not exist.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
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
