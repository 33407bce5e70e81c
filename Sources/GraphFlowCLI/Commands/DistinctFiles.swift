#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Candidates of which each file is looked at once, however often and by whatever path it is meant.
///
/// Two threads that mend the same file would get in each other's way, and nobody wants to read the
/// same problem twice.
struct DistinctFiles {
  private struct Identity: Hashable {
    let device: dev_t
    let number: ino_t
  }

  private var distinct: [WorkflowFiles.Candidate] = []
  /// Which of them each candidate is.
  private var places: [Int] = []

  init(_ candidates: [WorkflowFiles.Candidate]) {
    var known: [Identity: Int] = [:]
    for candidate in candidates {
      let place = distinct.count
      if let path = candidate.path, let identity = Self.identity(of: path) {
        if let earlier = known[identity] {
          // Who names a file wants it checked, even if it was found before.
          if case .named = candidate, case .found(let path) = distinct[earlier] {
            distinct[earlier] = .named(path)
          }
          places.append(earlier)
          continue
        }
        known[identity] = place
      }
      distinct.append(candidate)
      places.append(place)
    }
  }

  /// What comes of them, made by as many threads as there are processors.
  func map(_ check: @escaping @Sendable (WorkflowFiles.Candidate) -> CheckedFile) -> Checked {
    let files = Parallel.map(distinct.count) { [distinct] in check(distinct[$0]) }
    return Checked(files: files, places: places)
  }

  /// Files that were looked at.
  struct Checked {
    /// Each once, in the order in which they were first meant.
    let files: [CheckedFile]
    fileprivate let places: [Int]

    /// What came of a candidate, by its place among all of them.
    subscript(candidate: Int) -> CheckedFile { files[places[candidate]] }
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    guard path != "-", stat(path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }
}
