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
  init(
    _ candidate: WorkflowFiles.Candidate, fixes: Bool, showsText: Bool, _ settings: LintSettings
  ) {
    do {
      guard var source = try candidate.source() else {
        isSkipped = true
        return
      }
      switch WorkflowFiles.Kind(source) {
      case .faults: diagnostics = FaultReader.reading(source).diagnostics
      case .test: diagnostics = TestReader.reading(source).diagnostics
      case .world: diagnostics = WorldReader.reading(source).diagnostics
      case .workflow, nil:
        if fixes, source.isWhole, source.path != "-" {
          let (fixed, count) = source.fixed(settings)
          if count > 0, let place = candidate.place {
            for file in fixed.changes(from: source) {
              let changed = file.path == source.path ? place : FilePlace(file.path)
              try changed.replace(file.old, with: file.new)
            }
            (source, self.fixes) = (fixed, count)
          }
        }
        let presence = WorkflowFolder.presence(besides: source.path)
        diagnostics =
          Pipeline.load(source, filePresence: presence, settings: settings).diagnostics
        if Workflow.isFragment(source, diagnostics) {
          diagnostics.removeAll { $0.severity == .error }
        }
      }
      if showsText { text = Diagnostics.text(of: diagnostics, in: source, on: STDOUT_FILENO) }
    } catch {
      failure = CommandFailure(error)
    }
  }
}

/// Candidates without duplicates, even if several paths lead to the same file.
///
/// Otherwise two threads could fix the same file at the same time, and problems would be printed twice.
struct DistinctFiles {
  /// Files of more bytes are checked one at a time, because each is in memory as a whole.
  private static let largeSize = 4 << 20
  private var distinct: [WorkflowFiles.Candidate] = []
  /// The indices of large ones.
  private var large: Set<Int> = []
  /// For each candidate, the index of its file.
  private(set) var places: [Int] = []

  init(_ candidates: [WorkflowFiles.Candidate]) {
    var known: [FileStatus.Identity: Int] = [:]
    for candidate in candidates {
      let place = distinct.count
      if let path = candidate.place?.path, path != "-", let status = FileStatus(path) {
        if let earlier = known[status.identity] {
          distinct[earlier] = Self.better(of: distinct[earlier], candidate)
          places.append(earlier)
          continue
        }
        known[status.identity] = place
        if status.size > Self.largeSize { large.insert(place) }
      }
      distinct.append(candidate)
      places.append(place)
    }
  }

  /// Checks each file once, on as many threads as there are processors; large files one at a time.
  ///
  /// All of them one at a time if they may be changed: several may include the same file.
  func map(
    changing: Bool, _ check: @escaping @Sendable (WorkflowFiles.Candidate) -> CheckedFile
  ) -> [CheckedFile] {
    let files = distinct
    let alone = changing ? Set(files.indices) : large
    return Parallel.map(files.count, alone: alone) { check(files[$0]) }
  }

  /// The candidate to check if two lead to the same file.
  private static func better(
    of earlier: WorkflowFiles.Candidate, _ later: WorkflowFiles.Candidate
  ) -> WorkflowFiles.Candidate {
    guard let first = earlier.place, let second = later.place else { return earlier }
    func isLink(_ place: FilePlace) -> Bool { FileStatus(place.path, ofLink: true)?.isLink == true }
    // Only the file itself can be fixed, not a link to it.
    let place = isLink(first) && !isLink(second) ? second : first
    // A file that is named is checked, even if it was also found in a folder.
    if case .found = earlier, case .found = later { return .found(place) }
    return .named(place.path)
  }
}
