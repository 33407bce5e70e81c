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

  /// A file that may be a workflow.
  struct Candidate: Sendable {
    let path: String
    /// Whether it was found in a folder, where other YAML is left alone.
    let isFound: Bool

    /// The file's bytes; nil if it was found and is no workflow.
    func source() throws -> SourceFile? {
      let source = try WorkflowFiles.source(at: path)
      return isFound && !isWorkflow(source.bytes) ? nil : source
    }
  }

  /// The file at a path, or the YAML files of the folder there.
  static func candidates(at path: String) throws -> [Candidate] {
    guard path != "-", FileReading.isFolder(path) else {
      return [Candidate(path: path, isFound: false)]
    }
    return try candidates(in: path == "." ? "" : path, depth: 0)
  }

  /// What to say about a folder in which no candidate is a workflow.
  static func absence(in folder: String) -> CommandFailure {
    CommandFailure(
      .unreadable,
      "there is no workflow file in '\(folder)'",
      hint: "a workflow file ends in .yaml or .yml and has a top-level key 'graphflow'"
    )
  }

  private static func candidates(in folder: String, depth: Int) throws -> [Candidate] {
    // Deeper folders are no project's; a cycle of links would have no end.
    guard depth < 32 else { return [] }
    var candidates: [Candidate] = []
    for name in try FileReading.entries(of: folder.isEmpty ? "." : folder) {
      let path =
        folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
      if FileReading.isFolder(path) {
        if !FileReading.isLink(path) {
          candidates += try self.candidates(in: path, depth: depth + 1)
        }
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        candidates.append(Candidate(path: path, isFound: true))
      }
    }
    return candidates
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
