import GraphFlow

/// What happens to the files of a run between two of its processes.
enum Mishap: CaseIterable, Sendable {
  /// The journal's log is truncated, or ends at a broken frame.
  case endLost
  /// A bit of the journal's main file is flipped.
  case entryChanged
  /// The run's folder is deleted.
  case folderDeleted
  /// The journal is emptied.
  case journalEmptied
  /// An older copy of the run's folder is put back.
  case olderJournal
  /// The folder of marks is deleted.
  case marksDeleted
  /// A bit of the mark is flipped.
  case markChanged
  /// An older copy of the mark is put back.
  case olderMark
  /// The folders of locks and keys are deleted.
  case locksDeleted

  var rareState: RareState {
    switch self {
    case .endLost: .journalEndLost
    case .entryChanged: .journalEntryChanged
    case .folderDeleted: .runFolderDeleted
    case .journalEmptied: .journalEmptied
    case .olderJournal: .olderJournal
    case .marksDeleted: .marksDeleted
    case .markChanged: .markChanged
    case .olderMark: .olderMark
    case .locksDeleted: .locksDeleted
    }
  }
}

/// The files of a run: the part of the disk that a mishap changes.
struct RunFiles: Sendable {
  /// A mark as its file holds it.
  enum Mark: Sendable {
    case entry(Int64, checksum: Int64)
    case changed
  }

  /// The journal; nil if its folder is gone.
  var rows: [Store.Row]? = []
  /// The row counts after each append: an append is in the log as a whole, or not at all.
  var ends: [Int] = []
  /// The first row that cannot be read any more.
  var firstChanged: Int?
  /// The last row that the mark's file records; nil if the file is gone.
  var mark: Mark? = .entry(0, checksum: 0)
  /// Whether the lock names the run.
  var isNamed = true

  /// Whether a start finds the run: by its lock, or by searching the folders.
  var isFound: Bool {
    if isNamed || rows?.isEmpty == false { return true }
    if case .entry? = mark { return true }
    return false
  }

  /// The evidence that a start finds, in the product's terms.
  var evidence: JournalEvidence {
    var evidence = JournalEvidence(mark: .missing, journal: .missing)
    var reached: Int64 = 0
    switch mark {
    case .entry(let entry, let checksum)?:
      reached = entry
      evidence.mark = .reached(entry: entry, checksum: checksum)
    case .changed?: evidence.mark = .unreadable
    case nil: break
    }
    if let rows {
      let last = Int64(rows.count)
      let checksum =
        reached > 0 && reached <= last ? Store.checksum(of: rows.prefix(Int(reached))) : nil
      evidence.journal = .entries(last: last, checksumAtMark: checksum)
    }
    if let firstChanged { evidence.journal = .unreadable("entry \(firstChanged)") }
    return evidence
  }

  /// Applies a mishap to the files.
  ///
  /// - Parameters:
  ///   - mishap: what happens.
  ///   - older: the files before an earlier process.
  ///   - generator: chooses where it happens.
  mutating func apply(_ mishap: Mishap, older: RunFiles, _ generator: inout SeededGenerator) {
    let count = rows?.count ?? 0
    switch mishap {
    case .endLost:
      let kept = generator.pick([0] + ends.filter { $0 < count })
      if kept < count { rows?.removeSubrange(kept...) }
    case .entryChanged: if count > 0 { firstChanged = generator.below(count) }
    case .folderDeleted: rows = nil
    case .journalEmptied: rows = []
    case .olderJournal: rows = older.rows
    case .marksDeleted: mark = nil
    case .markChanged: mark = .changed
    case .olderMark: mark = older.mark
    case .locksDeleted: isNamed = false
    }
  }
}
