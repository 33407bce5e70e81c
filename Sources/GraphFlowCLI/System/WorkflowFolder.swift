import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of a workflow file: the only place whose files a workflow may send.
struct WorkflowFolder: Sendable {
  /// The folder as it was named.
  let path: String

  /// The folder that holds a workflow file; for standard input the current one.
  init(of file: String) {
    guard file != "-", let slash = file.lastIndex(of: "/") else {
      self.path = "."
      return
    }
    self.path = slash == file.startIndex ? "/" : String(file[..<slash])
  }

  /// The folder that relative paths are meant from; nil if it is gone.
  static var current: String? { resolved(".") }

  /// The bytes of a file inside the folder.
  ///
  /// Links are resolved before the check, so neither `..` nor a symbolic link leads out.
  ///
  /// - Throws: a ``CommandFailure`` that names the relative path.
  func bytes(of relative: String) throws -> [UInt8] {
    try FileReading.bytes(of: try place(of: relative))
  }

  /// Opens a file inside the folder, under the same rules; what is no file is refused.
  ///
  /// - Throws: a ``CommandFailure`` that names the relative path.
  func file(at relative: String) throws -> RegularFile {
    let path = try place(of: relative)
    do { return try RegularFile(path) } catch {
      throw CommandFailure(.unreadable, "cannot read '\(relative)': \(error)")
    }
  }

  /// What is at a path inside the folder.
  func presence(of relative: String) -> FilePresence {
    guard let root = WorkflowFolder.resolved(path) else {
      return .unusable(SystemError.last.description)
    }
    guard let file = WorkflowFolder.resolved(path + "/" + relative) else {
      let error = SystemError.last
      return error.number == ENOENT ? .missing : .unusable(error.description)
    }
    guard WorkflowFolder.isPath(file, inside: root) else { return .outside }
    var status = stat()
    guard stat(file, &status) == 0, access(file, R_OK) == 0 else {
      return .unusable(SystemError.last.description)
    }
    return SystemError(opening: status.st_mode).map { .unusable($0.description) } ?? .file
  }

  /// Tells what is at paths in the folder of a workflow file; each is looked at once.
  static func presence(besides file: String) -> (_ path: String) -> FilePresence {
    let folder = WorkflowFolder(of: file)
    var known: [String: FilePresence] = [:]
    return { path in
      if let presence = known[path] { return presence }
      let presence = folder.presence(of: path)
      known[path] = presence
      return presence
    }
  }

  private func place(of relative: String) throws -> String {
    guard !relative.hasPrefix("/"), !relative.utf8.contains(0) else {
      throw CommandFailure(.unreadable, "'\(relative)' is not a path inside the workflow's folder")
    }
    guard let root = WorkflowFolder.resolved(path),
      let file = WorkflowFolder.resolved(path + "/" + relative)
    else {
      throw CommandFailure(.unreadable, "cannot read '\(relative)': \(SystemError.last)")
    }
    guard WorkflowFolder.isPath(file, inside: root) else {
      throw CommandFailure(.unreadable, "'\(relative)' lies outside the workflow's folder")
    }
    return file
  }

  private static func isPath(_ file: String, inside root: String) -> Bool {
    file.hasPrefix(root == "/" ? root : root + "/")
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
