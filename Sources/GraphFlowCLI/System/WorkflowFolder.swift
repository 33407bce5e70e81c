import GraphFlow

/// The folder of a workflow file: the only place whose files a workflow may send.
struct WorkflowFolder: Sendable {
  /// The folder as it was named.
  let path: String

  /// The folder that holds a workflow file; for standard input the current one.
  init(of file: String) {
    let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
    path = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
  }

  /// The folder that relative paths are meant from; nil if it is gone.
  static var current: String? { FileReading.realPath(".") }

  /// The bytes of a file inside the folder.
  ///
  /// - Throws: a ``CommandFailure`` that names the relative path.
  func bytes(of relative: String) throws -> [UInt8] {
    let file = try file(at: relative)
    do { return try FileReading.bytes(of: file) } catch {
      throw CommandFailure(.unreadable, "cannot read '\(relative)': \(error)")
    }
  }

  /// Opens a file inside the folder; what is no file, or lies outside when it is opened, is refused.
  ///
  /// - Throws: a ``CommandFailure`` that names the relative path.
  func file(at relative: String) throws -> RegularFile {
    do throws(SystemError) {
      return try OpenFolder(path).file(at: relative)
    } catch {
      throw CommandFailure(
        .unreadable,
        error.number == EXDEV
          ? "'\(relative)' lies outside the workflow's folder"
          : "cannot read '\(relative)': \(error)"
      )
    }
  }

  /// What is at a path inside the folder.
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
}
