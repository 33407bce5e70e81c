/// What is left of a run in the places that keep something of it, and whether the run may be trusted.
///
/// A journal can lose its end without a trace: SQLite takes the first broken frame of its log for the
/// end of it. A write that was sent would then be sent again. So a second file, the ``IntentMark``,
/// says how far the journal has reached, and a run whose journal does not reach that far is refused.
/// A value, so that simulated runs are judged by the same rules as real ones.
package struct JournalEvidence: Hashable, Sendable {
  /// What the file beside the run says.
  package enum Mark: Hashable, Sendable {
    case missing
    case unreadable
    /// The number and the seal of the last entry that was durable; 0 before the first.
    case reached(entry: Int64, checksum: Int64)
  }

  /// What the journal says.
  package enum Journal: Hashable, Sendable {
    /// The file or its folder is not there.
    case missing
    /// It cannot be read at all, and why.
    case unreadable(String)
    /// Another version wrote it, which only that one can read; what to say of it.
    case otherVersion(String)
    /// The number of its last entry, and the seal of the entry that the mark names.
    case entries(last: Int64, checksumAtMark: Int64?)
  }

  /// What a start may do about the run.
  package enum Verdict: Hashable, Sendable {
    /// The journal holds every intent that was acted upon.
    case whole
    /// The process was killed before anything was sent.
    case neverBegan
    /// Writes may have been sent that the journal does not know.
    case damaged(Damage)
  }

  /// What is wrong with a run's files.
  package enum Damage: Hashable, Sendable {
    /// The run's journal is gone, and `runs prune` has not removed it.
    case gone
    /// The journal holds nothing.
    case empty
    /// The journal ends earlier than it has reached.
    case short(last: Int64, reached: Int64)
    /// An entry is not the one that was written.
    case replaced(entry: Int64)
    /// The journal, or a part of it, cannot be read, and why.
    case unreadable(String)
    /// Another version wrote the journal, which only that one can read; what to say of it.
    case otherVersion(String)
    /// The file that says how far the journal has reached is gone.
    case unmarked
    /// The file that says how far the journal has reached was changed.
    case markUnreadable
  }

  /// What the file beside the run says.
  package var mark: Mark
  /// What the journal says.
  package var journal: Journal

  /// Puts together what was found.
  package init(mark: Mark, journal: Journal) {
    self.mark = mark
    self.journal = journal
  }

  /// What follows from it.
  ///
  /// The journal is synced before the mark, so a crash leaves a mark that is behind, and never one
  /// that is ahead.
  package var verdict: Verdict {
    switch (mark, journal) {
    // What its mark means only that version knows.
    case (_, .otherVersion(let problem)): return .damaged(.otherVersion(problem))
    // The mark is made before the journal, and an entry is sent only after the mark names it.
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
  /// Whether what is left can be read, so that the run can go on with its lost writes in doubt.
  package var leavesBeginning: Bool {
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
