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
  /// The diagnostics for people, with the lines that they are about; empty if nobody asked for it.
  ///
  /// The file itself is not kept: many large ones may be checked.
  let text: String

  /// Reads a file and checks it; with `fixes`, what can be mended is mended first.
  init(_ candidate: WorkflowFiles.Candidate, fixes: Bool, showsText: Bool) {
    func text(of diagnostics: [Diagnostic], in source: SourceFile) -> String {
      showsText ? Diagnostics.text(of: diagnostics, in: source, on: .standardOutput) : ""
    }
    do {
      guard var source = try candidate.source() else {
        (result, self.text) = (.foreign, "")
        return
      }
      if let diagnostics = CheckedFile.sandboxDiagnostics(of: source) {
        (result, self.text) = (.checked(diagnostics, fixes: 0), text(of: diagnostics, in: source))
        return
      }
      var count = 0
      if fixes, source.isWhole, source.path != "-" {
        let (mended, mends) = source.fixed()
        if mends > 0, let place = candidate.place {
          try FileRewriting.replace(place, holding: source.bytes, with: mended.bytes)
          (source, count) = (mended, mends)
        }
      }
      let presence = WorkflowFolder.presence(besides: source.path)
      let diagnostics = Workflow.reading(source, filePresence: presence).diagnostics
      result = .checked(diagnostics, fixes: count)
      self.text = text(of: diagnostics, in: source)
    } catch {
      (result, self.text) = (.failed(CommandFailure(error)), "")
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
