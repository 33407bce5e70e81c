import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder for one test, removed after it.
final class ScratchFolder: Sendable {
  let path: String

  init(in parent: String? = nil) throws {
    let base = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/graphflow-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw ScratchFault(path: base, code: errno) }
    path = String(cString: made)
  }

  deinit { ScratchFolder.remove(path) }

  /// The permission bits of a file or folder, or nil if there is none.
  static func mode(of path: String) -> UInt32? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return UInt32(status.st_mode & 0o7777)
  }

  /// The names in a folder, sorted.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Writes a file.
  static func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "wb") else { throw ScratchFault(path: path, code: errno) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw ScratchFault(path: path, code: errno)
    }
  }

  private static func remove(_ path: String) {
    for name in names(in: path) {
      let child = "\(path)/\(name)"
      if unlink(child) != 0 { remove(child) }
    }
    rmdir(path)
  }
}

/// A file of a test could not be created.
struct ScratchFault: Error {
  let path: String
  let code: Int32
}
