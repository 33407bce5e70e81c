/// Disk space that is held ready for the outcome of a write that has been sent.
///
/// A disk is never full at a good moment, and worst of all between a write and its outcome. The
/// space is taken before anything is sent and given back when it is needed, or at the end.
struct ReservedSpace {
  private static let size = 1 << 20
  private let path: String

  /// Takes the space beside the journal.
  ///
  /// - Throws: `cannotWrite` if there is none left.
  init(beside journal: String) throws(JournalError) {
    path = journal + ".reserve"
    let file = try OpenFile(path, for: .making, orFail: .cannotWrite)
    do throws(JournalError) {
      try file.makePrivate(orFail: .cannotWrite)
      try file.reserve(ReservedSpace.size)
    } catch {
      release()
      throw error
    }
  }

  /// Gives the space back.
  func release() { OpenFile.remove(path) }
}
