/// The state of a run's journal and mark, and whether the run can be trusted.
///
/// A journal can be truncated without an error: SQLite treats the first broken frame of its WAL as the
/// end. A write that was sent would then be sent again. So a second file, the ``IntentMark``, records
/// how far the journal has reached, and a run whose journal does not reach that far is refused. This is
/// a value, so that simulations use the same rules as real runs.
package struct JournalEvidence: Hashable, Sendable {
  package enum Mark: Hashable, Sendable {
    case missing
    case unreadable
    /// The number and the running checksum of the last durable entry; 0 before the first.
    case reached(entry: Int64, checksum: Int64)
  }

  package enum Journal: Hashable, Sendable {
    /// The file or its folder does not exist.
    case missing
    /// It cannot be read at all, with the reason.
    case unreadable(String)
    /// Only the version that wrote it can read it, with a message.
    case otherVersion(String)
    /// The number of its last entry, and the running checksum of the entry that the mark names.
    case entries(last: Int64, checksumAtMark: Int64?)
  }

  /// Whether the run can be continued.
  package enum Verdict: Hashable, Sendable {
    /// The journal contains every call that was sent.
    case whole
    /// The process was killed before anything was sent.
    case neverBegan
    /// Writes may have been sent that the journal does not contain.
    case damaged(Damage)
  }

  /// What is wrong with a run's files.
  package enum Damage: Hashable, Sendable {
    /// The journal is missing, and `runs prune` has not removed it.
    case gone
    /// The journal is empty.
    case empty
    /// The journal ends before the entry that it had reached.
    case short(last: Int64, reached: Int64)
    /// An entry is different from the one that was written.
    case replaced(entry: Int64)
    /// The journal, or a part of it, cannot be read, with the reason.
    case unreadable(String)
    /// Only the version that wrote the journal can read it, with a message.
    case otherVersion(String)
    /// The mark is missing.
    case unmarked
    /// The mark was changed.
    case markUnreadable
  }

  package var mark: Mark
  package var journal: Journal

  package init(mark: Mark, journal: Journal) {
    self.mark = mark
    self.journal = journal
  }

  /// The verdict that follows from the evidence.
  ///
  /// The journal is synced before the mark, so after a crash the mark can be behind the journal, but
  /// never ahead of it.
  package var verdict: Verdict {
    switch (mark, journal) {
    // Only that version can interpret the mark.
    case (_, .otherVersion(let problem)): return .damaged(.otherVersion(problem))
    // The mark is created before the journal, and a call is sent only after the mark includes it.
    case (.reached(0, _), .missing), (.reached(0, _), .unreadable),
      (.reached(0, _), .entries(0, _)):
      return .neverBegan
    case (_, .unreadable(let problem)): return .damaged(.unreadable(problem))
    case (_, .missing): return .damaged(.gone)
    case (_, .entries(0, _)): return .damaged(.empty)
    case (.unreadable, _): return .damaged(.markUnreadable)
    case (.missing, _): return .damaged(.unmarked)
    case (.reached(let reached, let checksum), .entries(let last, let checksumAtMark)):
      if last < reached { return .damaged(.short(last: last, reached: reached)) }
      return reached == 0 || checksumAtMark == checksum
        ? .whole : .damaged(.replaced(entry: reached))
    }
  }
}

extension JournalEvidence.Damage {
  /// Whether the beginning of the journal can be read, so that the run can continue with its missing
  /// writes in doubt.
  package var hasReadableStart: Bool {
    switch self {
    case .short, .replaced, .unmarked, .markUnreadable: true
    case .gone, .empty, .unreadable, .otherVersion: false
    }
  }
}

extension JournalEvidence.Damage: CustomStringConvertible {
  /// What is wrong, as a clause about the journal without a full stop.
  package var description: String {
    switch self {
    case .gone: "its journal is gone, and it was not pruned"
    case .empty: "its journal is empty, although writes may have been sent"
    case .short(let last, .max): "its journal ends at entry \(last), and has reached further"
    case .short(let last, let reached):
      "its journal ends at entry \(last), but has reached entry \(reached)"
    case .replaced(let entry): "entry \(entry) of its journal is not the one that was written"
    case .unreadable(let problem): "its journal cannot be read: \(problem)"
    case .otherVersion(let problem): problem
    case .unmarked: "the file that says how far its journal has reached is gone"
    case .markUnreadable: "the file that says how far its journal has reached was changed"
    }
  }
}
