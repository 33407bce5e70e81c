import GraphFlow

/// A file that is written for the first time.
struct NewFile: Sendable {
  /// The path from the current folder, with at most one folder.
  let path: String
  let bytes: [UInt8]

  /// Writes all files or none; a file that exists is never overwritten.
  ///
  /// The first file must be new. The others may be there already with the same contents, as sample
  /// data of another template.
  static func writeAll(_ files: [NewFile]) throws {
    var made: [(path: String, isFolder: Bool)] = []
    do {
      for (index, file) in files.enumerated() where try !file.isPresent(mayBeEqual: index > 0) {
        if let folder = file.folder, mkdir(folder, 0o777) == 0 { made.append((folder, true)) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(file.path, flags, 0o644)
        guard descriptor >= 0 else { throw file.failure(.cannotCreate, SystemError.last) }
        made.append((file.path, false))
        let error = Terminal.write(file.bytes, to: descriptor)
        guard close(descriptor) == 0, error == nil else {
          throw file.failure(.cannotWrite, error ?? SystemError.last)
        }
      }
    } catch {
      for (path, isFolder) in made.reversed() { _ = isFolder ? rmdir(path) : unlink(path) }
      throw error
    }
  }

  private var folder: String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }

  /// Whether the file is there with the same contents; throws if it is there otherwise.
  private func isPresent(mayBeEqual: Bool) throws -> Bool {
    guard FileStatus(path, ofLink: true) != nil else { return false }
    if mayBeEqual, let present = try? FileReading.bytes(of: path), present == bytes { return true }
    throw CommandFailure(
      .cannotCreate, "'\(path)' exists already and is not overwritten",
      hint: mayBeEqual ? "nothing was written; use another folder" : "give another NAME")
  }

  private func failure(_ status: ExitStatus, _ error: SystemError) -> CommandFailure {
    CommandFailure(
      status, "cannot \(status == .cannotWrite ? "write" : "create") '\(path)': \(error)",
      hint: "nothing was written")
  }
}
