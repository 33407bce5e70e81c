import GraphFlow

/// Finds and reads workflow files.
enum WorkflowFiles {
  /// The largest workflow file, 64 MiB (language.md §12).
  static let limit = 64 << 20

  /// Reads and checks one workflow; its diagnostics are printed on standard error.
  ///
  /// - Throws: a ``CommandFailure``: ``ExitStatus/unreadable``, or ``ExitStatus/invalid`` when the
  ///   diagnostics have said everything.
  static func workflow(at path: String) throws -> Workflow {
    let source = try source(at: path)
    let (workflow, diagnostics) = Workflow.reading(source)
    Diagnostics.say(diagnostics, of: source)
    guard let workflow else { throw CommandFailure.silent(.invalid) }
    return workflow
  }

  /// One file's bytes; one more than the limit allows is enough for the reader to refuse it.
  static func source(at path: String) throws -> SourceFile {
    SourceFile(path: path, bytes: try FileReading.bytes(of: path))
  }

  /// The file at a path, or the workflow files of the folder there.
  static func sources(at path: String) throws -> [SourceFile] {
    guard path != "-", FileReading.isFolder(path) else { return [try source(at: path)] }
    let sources = try sources(in: path == "." ? "" : path, depth: 0)
    guard !sources.isEmpty else {
      throw CommandFailure(
        .unreadable,
        "there is no workflow file in '\(path)'",
        hint: "a workflow file ends in .yaml or .yml and has a top-level key 'graphflow'"
      )
    }
    return sources
  }

  private static func sources(in folder: String, depth: Int) throws -> [SourceFile] {
    // Deeper folders are no project's; a cycle of links would have no end.
    guard depth < 32 else { return [] }
    var sources: [SourceFile] = []
    for name in try FileReading.entries(of: folder.isEmpty ? "." : folder) {
      let path =
        folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
      if FileReading.isFolder(path) {
        if !FileReading.isLink(path) { sources += try self.sources(in: path, depth: depth + 1) }
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        let source = try source(at: path)
        if isWorkflow(source.bytes) { sources.append(source) }
      }
    }
    return sources
  }

  /// Whether a line begins with `graphflow:`, so that other YAML in the folder is left alone.
  private static func isWorkflow(_ bytes: [UInt8]) -> Bool {
    let key = Array("graphflow:".utf8)
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if text.starts(with: key) { return true }
    return text.indices.contains { index in
      text[index] == UInt8(ascii: "\n") && text[(index + 1)...].starts(with: key)
    }
  }
}
