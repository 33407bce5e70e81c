/// Disk space that is reserved for the outcome of a write that was sent.
///
/// If the disk became full between a write and its outcome, the outcome could not be recorded. The
/// space is allocated before anything is sent, and released when it is needed, or at the end.
struct ReservedSpace {
  private static let size = 1 << 20
  private let path: String

  /// Allocates the space next to the journal; throws `cannotWrite` if the disk is full.
  init(beside journal: String) throws(JournalError) {
    path = journal + ".reserve"
    let file = try OpenFile(path, for: .creating, orFail: .cannotWrite)
    do throws(JournalError) {
      try file.makePrivate(orFail: .cannotWrite)
      try file.reserve(ReservedSpace.size)
    } catch {
      release()
      throw error
    }
  }

  func release() { OpenFile.remove(path) }
}
