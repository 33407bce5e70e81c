/// Candidates of which each file is looked at once, however often and by whatever path it is meant.
///
/// Two threads that mend the same file would get in each other's way, and nobody wants to read the
/// same problem twice.
struct DistinctFiles {
  /// Files of more bytes are looked at one by one, for all of it is in memory meanwhile.
  private static let largeSize = 4 << 20

  private var distinct: [WorkflowFiles.Candidate] = []
  /// Which of them are large.
  private var large: Set<Int> = []
  /// Which of them each candidate is.
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

  /// What comes of them, each once, made by as many threads as there are processors, but for large
  /// ones.
  func map(_ check: @escaping @Sendable (WorkflowFiles.Candidate) -> CheckedFile) -> [CheckedFile] {
    Parallel.map(distinct.count, alone: large) { [distinct] in check(distinct[$0]) }
  }

  /// How a file is looked at that is meant in two ways.
  private static func better(
    of earlier: WorkflowFiles.Candidate,
    _ later: WorkflowFiles.Candidate
  ) -> WorkflowFiles.Candidate {
    guard let first = earlier.place, let second = later.place else { return earlier }
    // Only the file itself can be mended, not a link that leads to it.
    let place = isLink(first) && !isLink(second) ? second : first
    // Who names a file wants it checked, even if it was found before.
    if case .found = earlier, case .found = later { return .found(place) }
    return .named(place.path)
  }

  private static func isLink(_ place: FilePlace) -> Bool {
    FileStatus(place.path, ofLink: true)?.isLink == true
  }
}
