import GraphFlow

/// A file that `validate` has looked at.
struct CheckedFile: Sendable {
  /// What is said about it.
  private(set) var diagnostics: [Diagnostic] = []
  /// How many problems were mended.
  private(set) var fixes = 0
  /// Whether it was found in a folder, and is no workflow.
  private(set) var isSkipped = false
  /// Why it could not be read or, once mended, not written.
  private(set) var failure: CommandFailure?
  /// The diagnostics for people, with the lines that they are about; empty if nobody asked for it.
  ///
  /// The file itself is not kept: many large ones may be checked.
  private(set) var text = ""

  /// Reads a file and checks it; with `fixes`, what can be mended is mended first.
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

  /// What is wrong with a file that is about a sandbox; nil for any other.
  private static func sandboxDiagnostics(of source: SourceFile) -> [Diagnostic]? {
    if FaultFile.isFaultFile(source) { return FaultFile.reading(source).diagnostics }
    guard WorldFile.isWorldFile(source) else { return nil }
    return WorldReader.reading(source).diagnostics
  }
}
