import Synchronization
import TestSupport

#if canImport(Glibc)
package import Glibc
#elseif canImport(Darwin)
package import Darwin
#endif

/// A folder that is removed together with the test that made it.
package final class TemporaryFolder: Sendable {
  /// Its absolute path.
  package let path: String
  /// The files that the test itself wrote, as paths in this folder.
  private let own = Mutex<Set<String>>([])

  package init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let template = strdup(base + "/graphflow-test-XXXXXX")
    defer { free(template) }
    guard let template, let made = mkdtemp(template) else {
      throw ChildProcess.Failure("no temporary folder")
    }
    guard let resolved = realpath(made, nil) else { throw ChildProcess.Failure("no path") }
    defer { free(resolved) }
    path = String(cString: resolved)
  }

  deinit {
    KeptOutput.keep(files(), of: path, except: own.withLock(\.self))
    for file in files(withFolders: true).reversed() { remove(path + "/" + file) }
    rmdir(path)
  }

  /// Makes a folder in it.
  package func makeFolder(_ name: String) throws {
    var made = path
    for part in name.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else {
        throw ChildProcess.Failure("cannot make \(made)")
      }
    }
  }

  /// Writes a file in it and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
    let file = path + "/" + name
    own.withLock { _ = $0.insert(name) }
    guard let stream = fopen(file, "wb") else { throw ChildProcess.Failure(file) }
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, count == bytes.count, chmod(file, mode) == 0 else {
      throw ChildProcess.Failure(file)
    }
    return file
  }

  /// The permission bits of a file or folder in it.
  package func mode(of name: String) -> mode_t {
    FileKind(of: path + "/" + name).map { mode_t($0.permissions) } ?? 0o777
  }

  /// The paths of all files in it, relative to it, sorted.
  package func files(withFolders: Bool = false) -> [String] {
    var found: [String] = []
    collect("", withFolders, into: &found)
    return found.sorted()
  }

  private func collect(_ relative: String, _ withFolders: Bool, into found: inout [String]) {
    guard let stream = opendir(path + "/" + relative) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let next = relative.isEmpty ? name : relative + "/" + name
      guard let kind = FileKind(of: path + "/" + next) else { continue }
      if kind.isFolder {
        if withFolders { found.append(next) }
        collect(next, withFolders, into: &found)
      } else {
        found.append(next)
      }
    }
  }
}
