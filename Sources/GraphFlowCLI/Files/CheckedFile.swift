import GraphFlow

/// A file that `validate` has checked.
struct CheckedFile: Sendable {
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var fixes = 0
  /// Whether it was found in a folder, and is not a workflow.
  private(set) var isSkipped = false
  /// Why it could not be read, or written after a fix.
  private(set) var failure: CommandFailure?
  /// The diagnostics for people, with lines of the file; empty if another format is printed.
  ///
  /// The file itself is not kept, because many large ones may be checked.
  private(set) var text = ""

  /// Reads a file and checks it; with `fixes`, certain typos are fixed first.
  init(_ candidate: WorkflowFiles.Candidate, fixes: Bool, showsText: Bool) {
    do {
      guard var source = try candidate.source() else {
        isSkipped = true
        return
      }
      if let found = CheckedFile.sandboxDiagnostics(of: source) {
        diagnostics = found
      } else {
        if fixes, source.isWhole, source.path != "-" {
          let (fixed, count) = source.fixed()
          if count > 0, let place = candidate.place {
            try FileRewriting.replace(place, holding: source.bytes, with: fixed.bytes)
            (source, self.fixes) = (fixed, count)
          }
        }
        let presence = WorkflowFolder.presence(besides: source.path)
        diagnostics = Pipeline.load(source, filePresence: presence).diagnostics
      }
      if showsText { text = Diagnostics.text(of: diagnostics, in: source, on: STDOUT_FILENO) }
    } catch {
      failure = CommandFailure(error)
    }
  }

  /// The diagnostics of a world file or a faults file; nil for any other file.
  private static func sandboxDiagnostics(of source: SourceFile) -> [Diagnostic]? {
    if FaultFile.isFaultFile(source) { return FaultFile.reading(source).diagnostics }
    guard WorldFile.isWorldFile(source) else { return nil }
    return WorldReader.reading(source).diagnostics
  }
}
