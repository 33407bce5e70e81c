import GraphFlow

/// The folder of a workflow file: a workflow may send only files in it.
struct WorkflowFolder: Sendable {
  let path: String

  /// The folder of a workflow file; the current folder for standard input.
  init(of file: String) {
    let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
    path = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
  }

  /// The current folder; nil if it was removed.
  static var current: String? {
    let path = StateDirectory.canonical(".")
    return path == "." ? nil : path
  }

  func bytes(of relative: String) throws -> [UInt8] {
    let file = try file(at: relative)
    do { return try FileReading.bytes(of: file) } catch {
      throw CommandFailure(.unreadable, "cannot read '\(relative)': \(error)")
    }
  }

  /// Opens a regular file inside the folder; a file that is outside when it is opened is refused.
  func file(at relative: String) throws -> InputFile {
    do throws(SystemError) {
      return try OpenFolder(path).file(at: relative)
    } catch {
      throw CommandFailure(
        .unreadable,
        error.number == EXDEV
          ? "'\(relative)' lies outside the workflow's folder"
          : "cannot read '\(relative)': \(error)")
    }
  }

  func presence(of relative: String) -> FilePresence {
    let folder: OpenFolder
    do { folder = try OpenFolder(path) } catch { return .unusable(error.description) }
    do throws(SystemError) {
      _ = try folder.file(at: relative)
      return .file
    } catch {
      switch error.number {
      case ENOENT: return .missing
      case EXDEV: return .outside
      default: return .unusable(error.description)
      }
    }
  }

  /// A function that checks paths in the folder of a workflow file, each path once.
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
}
