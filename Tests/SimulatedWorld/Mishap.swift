import GraphFlow

/// What happens to the files of a run between two of its processes.
enum Mishap: CaseIterable, Sendable {
  /// The journal's log is cut off, or ends at a frame that is broken.
  case endLost
  /// A bit of the journal's main file is turned over.
  case entryChanged
  /// The run's folder is deleted.
  case folderDeleted
  /// The journal is emptied.
  case journalEmptied
  /// An older copy of the run's folder is put back.
  case olderJournal
  /// The folder of marks is deleted.
  case marksDeleted
  /// A bit of the mark is turned over.
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

/// What a run's files hold: the part of the disk that a mishap changes.
struct RunFiles: Sendable {
  /// A mark as its file holds it.
  enum Mark: Sendable {
    case entry(Int64, checksum: Int64)
    case changed
  }

  /// The journal; nil if its folder is gone.
  var rows: [Store.Row]? = []
  /// Where appends ended: one is in the log as a whole, or not at all.
  var ends: [Int] = []
  /// The first row that cannot be read any more.
  var firstChanged: Int?
  /// How far the journal has reached; nil if that file is gone.
  var mark: Mark? = .entry(0, checksum: 0)
  /// Whether the lock names the run.
  var isNamed = true

  /// Whether a start finds the run: by its lock, or by looking through what is there.
  var isFound: Bool {
    if isNamed || rows?.isEmpty == false { return true }
    if case .entry? = mark { return true }
    return false
  }

  /// What a start finds, in the product's terms.
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

  /// Lets a mishap happen.
  ///
  /// - Parameters:
  ///   - mishap: what happens.
  ///   - older: the files as they were before an earlier process.
  ///   - chance: decides where it happens.
  mutating func meet(_ mishap: Mishap, older: RunFiles, _ chance: inout Chance) {
    let count = rows?.count ?? 0
    switch mishap {
    case .endLost:
      let kept = chance.pick([0] + ends.filter { $0 < count })
      if kept < count { rows?.removeSubrange(kept...) }
    case .entryChanged: if count > 0 { firstChanged = chance.below(count) }
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
