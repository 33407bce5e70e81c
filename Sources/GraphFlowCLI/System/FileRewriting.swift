#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Gives a file new contents: whole, or not at all.
enum FileRewriting {
  /// Replaces the contents of the file at a path; its mode and owner stay, and links are followed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - old: What it held when it was read; if that has changed since, nothing is written.
  ///   - new: What it is to hold.
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/cannotWrite``; the file is then as it was.
  static func replace(_ path: String, holding old: [UInt8], with new: [UInt8]) throws {
    do {
      guard let target = realpath(path, nil) else { throw SystemError.last }
      defer { free(target) }
      try replace(String(cString: target), old, new)
    } catch let error as SystemError {
      throw CommandFailure(.cannotWrite, "cannot write '\(path)': \(error)")
    }
  }

  private static func replace(_ path: String, _ old: [UInt8], _ new: [UInt8]) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError.last }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(number: EINVAL) }
    // Who may not write the file may not replace it either, whatever the folder allows.
    guard access(path, W_OK) == 0 else { throw SystemError.last }
    let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(temporary, flags, 0o600)
    guard descriptor >= 0 else { throw SystemError.last }
    do {
      defer { close(descriptor) }
      // Only root may give a file away; its mode is what matters to everybody else.
      _ = fchown(descriptor, status.st_uid, status.st_gid)
      guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw SystemError.last }
      if let error = Terminal.write(new, to: descriptor) { throw error }
      guard fsync(descriptor) == 0 else { throw SystemError.last }
      guard try FileReading.bytes(of: path) == old else { throw SystemError(number: EBUSY) }
      guard rename(temporary, path) == 0 else { throw SystemError.last }
    } catch {
      unlink(temporary)
      throw error
    }
  }
}
