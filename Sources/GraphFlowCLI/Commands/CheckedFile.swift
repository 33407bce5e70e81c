import GraphFlow

/// A file that `validate` has looked at.
struct CheckedFile: Sendable {
  /// What came of it.
  enum Result: Sendable {
    /// It was read, mended if that was asked for, and checked.
    case checked([Diagnostic], fixes: Int)
    /// It was found in a folder, and is no workflow.
    case foreign
    /// It could not be read or, once mended, not written.
    case failed(CommandFailure)
  }

  let result: Result
  /// The file, for the lines that its diagnostics are about; nil if there are none.
  let source: SourceFile?

  /// Reads a file and checks it; with `fixes`, what can be mended is mended first.
  init(_ candidate: WorkflowFiles.Candidate, fixes: Bool) {
    do {
      guard var source = try candidate.source() else {
        (result, self.source) = (.foreign, nil)
        return
      }
      if let diagnostics = CheckedFile.sandboxDiagnostics(of: source) {
        result = .checked(diagnostics, fixes: 0)
        self.source = diagnostics.isEmpty ? nil : source
        return
      }
      var count = 0
      if fixes, source.isWhole, source.path != "-" {
        let (mended, mends) = source.fixed()
        if mends > 0 {
          try FileRewriting.replace(source.path, holding: source.bytes, with: mended.bytes)
          (source, count) = (mended, mends)
        }
      }
      let presence = WorkflowFolder.presence(besides: source.path)
      let diagnostics = Workflow.reading(source, filePresence: presence).diagnostics
      result = .checked(diagnostics, fixes: count)
      // Thousands of files may be checked; those that are sound are not kept.
      self.source = diagnostics.isEmpty ? nil : source
    } catch {
      (result, source) = (.failed(CommandFailure(error)), nil)
    }
  }

  /// What is wrong with a file that is about a sandbox; nil for any other.
  private static func sandboxDiagnostics(of source: SourceFile) -> [Diagnostic]? {
    if FaultFile.isFaultFile(source) { return FaultFile.reading(source).diagnostics }
    guard WorldFile.isWorldFile(source) else { return nil }
    return WorldReader.reading(source).diagnostics
  }

  /// Whether it was found in a folder, and is no workflow.
  var isForeign: Bool {
    guard case .foreign = result else { return false }
    return true
  }

  /// What is said about it.
  var diagnostics: [Diagnostic] {
    guard case .checked(let diagnostics, _) = result else { return [] }
    return diagnostics
  }

  /// How many problems were mended.
  var fixes: Int {
    guard case .checked(_, let fixes) = result else { return 0 }
    return fixes
  }
}
