/// What is left of runs.
extension StateDirectory {
  /// What is left of a run; nil if it was pruned.
  ///
  /// - Throws: what keeps its files from being looked at, such as `foreign` or `locked`.
  package func evidenceUnlessPruned(of id: RunID) throws(JournalError) -> JournalEvidence? {
    isPruned(id) ? nil : try evidence(of: id)
  }

  /// What is left of a run.
  ///
  /// - Throws: what keeps its files from being looked at, such as `foreign` or `locked`.
  func evidence(of id: RunID) throws(JournalError) -> JournalEvidence {
    // The mark first: a run that is under way is ahead of it then, never behind.
    var (mark, entry) = (JournalEvidence.Mark.missing, Int64(0))
    do throws(JournalError) {
      if let known = try intentMark(of: id) {
        (mark, entry) = (.reached(entry: known.entry, checksum: known.checksum), known.entry)
      }
    } catch {
      guard error.kind == .damaged else { throw error }
      mark = .unreadable
    }
    do throws(JournalError) {
      return JournalEvidence(mark: mark, journal: try reading(id).extent(at: entry))
    } catch {
      switch error.kind {
      case .notFound: return JournalEvidence(mark: mark, journal: .missing)
      case .damaged: return JournalEvidence(mark: mark, journal: .unreadable(error.message))
      case .otherVersion: return JournalEvidence(mark: mark, journal: .otherVersion(error.message))
      case .cannotCreate, .cannotWrite, .locked, .foreign: throw error
      }
    }
  }

  /// The runs that were started under a lock or a key, by what lies beside them.
  ///
  /// - Parameters:
  ///   - start: only runs that were started after this one, by their ids; nil for all.
  ///   - isNamed: whether a run with these names is meant.
  ///   - isMeant: whether a run that started like this is meant; asked where no names lie beside.
  /// - Returns: the runs, newest first.
  /// - Throws: `foreign` or `cannotCreate` for a folder that cannot be used.
  package func runs(
    after start: RunID? = nil,
    where isNamed: (RunNames) -> Bool,
    orStarted isMeant: (RunStart) -> Bool
  ) throws(JournalError) -> [RunID] {
    let ids = Set(try runs()).union(try lostRuns())
    var found: [RunID] = []
    for id in ids.sorted(by: >).prefix(while: { id in start.map { id > $0 } ?? true })
    where !isPruned(id) {
      if let mark = try? intentMark(of: id), mark.names != RunNames() {
        if isNamed(mark.names) { found.append(id) }
      } else if let start = try? reading(id).start(), isMeant(start) {
        found.append(id)
      }
    }
    return found
  }

  /// The runs whose folders are gone although nobody has pruned them.
  package func lostRuns() throws(JournalError) -> [RunID] {
    let runs = Set(try runs())
    return try names(in: .intents).compactMap(RunID.init(_:)).filter {
      !runs.contains($0) && isLost($0)
    }
  }

  /// Whether a run's folder is gone although nobody has pruned it.
  ///
  /// A run that is starting makes its mark, then its folder, and then moves the mark: so the mark is
  /// read first, and one that was never moved is that of a run without a folder so far.
  package func isLost(_ id: RunID) -> Bool {
    do throws(JournalError) {
      guard let mark = try intentMark(of: id), mark.entry > 0 else { return false }
    } catch {
      guard error.kind == .damaged, !IntentFile.isUnfinished("\(path(of: .intents))/\(id)") else {
        return false
      }
    }
    return !OpenFile.exists(folder(of: id)) && !isPruned(id)
  }

  private func intentMark(of id: RunID) throws(JournalError) -> IntentMark? {
    try PrivateFolder.refuseForeign(path(of: .intents))
    return try IntentFile.mark(at: "\(path(of: .intents))/\(id)")
  }
}
