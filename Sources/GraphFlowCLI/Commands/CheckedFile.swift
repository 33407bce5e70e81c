import GraphFlow

/// A file that `validate` has looked at.
struct CheckedFile: Sendable {
  /// What came of it.
  enum Result: Sendable {
    /// It was read, mended if that was asked for, and checked.
    case checked(SourceFile, [Diagnostic], fixes: Int)
    /// It was found in a folder, and is no workflow.
    case foreign
    /// It could not be read or, once mended, not written.
    case failed(message: String, hint: String?, ExitStatus)
  }

  let path: String
  let result: Result

  /// Reads a file and checks it; with `fixes`, what can be mended is mended first.
  init(_ candidate: WorkflowFiles.Candidate, fixes: Bool) {
    path = candidate.path
    do {
      guard var source = try candidate.source() else {
        result = .foreign
        return
      }
      var count = 0
      if fixes, candidate.path != "-" {
        let (mended, mends) = source.fixed()
        if mends > 0 {
          try FileRewriting.replace(path, holding: source.bytes, with: mended.bytes)
          (source, count) = (mended, mends)
        }
      }
      result = .checked(source, Workflow.reading(source).diagnostics, fixes: count)
    } catch {
      let failure = CommandFailure(error)
      result = .failed(message: failure.message, hint: failure.hint, failure.status)
    }
  }
}
