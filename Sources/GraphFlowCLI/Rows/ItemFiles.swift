import GraphFlow
import JSONPath

/// The files of an output whose items have files of their own, and the manifest that lists them.
///
/// A file is complete or absent, and replaces one of an earlier run. The manifest is written last.
struct ItemFiles {
  let output: Workflow.Output
  /// The folder of the workflow file, or the one that replaces it.
  let folder: String
  private let format: RowFormat
  /// The files in the manifest by their paths, as text, and the windows that could not be read.
  private var entries: [String: String] = [:]
  private var missing: [Bookmark.Window] = []
  private(set) var (files, rows) = (0, 0)
  /// The files that could not be written.
  private(set) var failures = 0
  /// The folders that exist.
  private var prepared: Set<String> = []

  /// Nil for an output with one file.
  ///
  /// - Throws: if no file can be created in the folder of the manifest.
  init?(of output: Workflow.Output, in folder: String) throws {
    guard let file = output.file, let format = RowFormat(path: file.text) else { return nil }
    (self.output, self.folder, self.format) = (output, folder, format)
    let path = place(of: manifestPath)
    try prepareFolder(of: path)
    // Leaves nothing unless it is finished.
    _ = try AtomicFile(at: path)
  }

  /// Writes the file of an item; nil for one that cannot be written, of which the first is reported.
  ///
  /// `held` passes on the rows that come first.
  mutating func write(
    _ item: ItemRows, after held: ((JSON) throws -> Void) throws -> Void,
    _ outcome: inout CommandOutcome
  ) -> Bookmark.File? {
    do { return try write(item, after: held) } catch {
      failures += 1
      if failures == 1 { outcome.recordFailure(error) }
      return nil
    }
  }

  private mutating func write(
    _ item: ItemRows, after held: ((JSON) throws -> Void) throws -> Void
  ) throws -> Bookmark.File {
    let path = place(of: item.path)
    try prepareFolder(of: path)
    let file = try AtomicFile(at: path)
    var (text, digest, bytes) = (RowText(columns: output.columns, format), FileDigest(), 0)
    func write(_ part: [UInt8]) throws {
      digest.update(part)
      bytes += part.count
      try file.append(part)
    }
    try held { try text.append($0, write) }
    for row in item.rows { try text.append(row, write) }
    try text.finish(write)
    try file.finish()
    files += 1
    rows += text.count
    return Bookmark.File(
      output: output.name, path: item.path, rows: text.count, bytes: bytes, digest: digest.text,
      missing: item.missing)
  }

  /// Lists a file in the manifest.
  mutating func list(_ file: Bookmark.File, ofItem key: String) {
    list(file, [("key", .string(key))])
  }

  /// Lists the files of windows instead, those of earlier runs, too, and the windows that could not be
  /// read.
  ///
  /// Earlier runs may have had another folder, and a file may have been moved away since.
  mutating func list(_ bookmarks: [Bookmark]) {
    entries = [:]
    missing = bookmarks.filter { !$0.isFinished }.map(\.window)
    for bookmark in bookmarks {
      for file in bookmark.files
      where file.output == output.name && FileStatus(place(of: file.path))?.isFile == true {
        list(file, bookmark.window.members)
      }
    }
  }

  private mutating func list(_ file: Bookmark.File, _ members: [(String, JSON)]) {
    let entry = JSON.object(
      JSON.Object(
        [
          ("path", .string(String(file.path.dropFirst(manifestFolder.count)))),
          ("rows", .number(JSON.Number(file.rows))), ("bytes", .number(JSON.Number(file.bytes))),
          ("sha256", .string(file.digest)),
        ] + members + (file.missing.map { [("missing", $0)] } ?? [])))
    entries[file.path] = entry.serialized()
  }

  /// The path of the manifest, as the file of the workflow would write it.
  var manifestPath: String {
    manifestFolder + ReportDestination.fileName(output.name) + ".manifest.json"
  }

  /// The last folder that all files have in common; empty, or with its slash.
  private var manifestFolder: String {
    guard case .text(let text)? = output.file?.parts.first else { return "" }
    return text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
  }

  /// Writes the manifest: the same files give the same bytes.
  mutating func writeManifest() throws {
    let path = place(of: manifestPath)
    try prepareFolder(of: path)
    let manifest = try AtomicFile(at: path, through: ProcessRedactor.stream)
    let head = JSON.object(
      JSON.Object([
        ("graphflow_manifest", 1), ("output", .string(output.name)),
        ("columns", .array(output.columns.map(JSON.string))),
      ]))
    try manifest.append(Array(head.serialized().utf8.dropLast() + ",\"files\":[".utf8))
    for (index, path) in entries.keys.sorted().enumerated() {
      try manifest.append(Array(((index > 0 ? "," : "") + (entries[path] ?? "")).utf8))
    }
    let windows = JSON.array(missing.sorted().map { .object(JSON.Object($0.members)) })
    try manifest.append(Array("],\"missing\":\(windows.serialized())}\n".utf8))
    try manifest.finish()
  }

  /// Creates the folder of a file and its parents, and deletes what killed runs have left there.
  private mutating func prepareFolder(of path: String) throws {
    let folder = WorkflowFolder(of: path).path
    guard prepared.insert(folder).inserted else { return }
    do throws(JournalError) {
      if FileStatus(folder)?.isFolder != true { _ = try PrivateFolder(creating: folder) }
    } catch {
      throw CommandFailure(.cannotCreate, "cannot create the folder '\(folder)': \(error.message)")
    }
    AtomicFile.removeLeftovers(try StateDirectory.names(in: folder), in: folder)
  }

  /// Where a file of the workflow's folder is.
  func place(of path: String) -> String { folder == "." ? path : "\(folder)/\(path)" }
}

extension Bookmark.Window {
  /// The window as manifests show it.
  fileprivate var members: [(String, JSON)] {
    (element.isEmpty ? [] : [("id", .string(element))])
      + [("since", .string(since)), ("until", .string(until))]
  }
}
