/// Evidence about runs.
extension StateDirectory {
  /// The evidence about a run; nil if it was pruned.
  ///
  /// - Throws: an error that prevents reading its files, such as `foreign` or `locked`.
  package func evidenceUnlessPruned(of id: RunID) throws(JournalError) -> JournalEvidence? {
    guard !isPruned(id) else { return nil }
    // The mark first: if the run is active, its journal can then only be ahead of the mark.
    var evidence = JournalEvidence(mark: .missing, journal: .missing)
    var entry: Int64 = 0
    do throws(JournalError) {
      if let known = try intentMark(of: id) {
        entry = known.entry
        evidence.mark = .reached(entry: entry, checksum: known.checksum)
      }
    } catch {
      guard error.kind == .damaged else { throw error }
      evidence.mark = .unreadable
    }
    do throws(JournalError) {
      evidence.journal = try reading(id).extent(at: entry)
    } catch {
      switch error.kind {
      case .notFound: break
      case .damaged: evidence.journal = .unreadable(error.message)
      case .otherVersion: evidence.journal = .otherVersion(error.message)
      case .cannotCreate, .cannotWrite, .locked, .foreign, .unavailable, .lockLost, .misconfigured:
        throw error
      }
    }
    return evidence
  }

  /// The runs that were started under a lock or a key, from the marks beside them.
  ///
  /// - Parameters:
  ///   - start: only runs that were started after this one, by their ids; nil for all.
  ///   - isNamed: whether a run with these names matches.
  ///   - isMeant: whether a run with this start event matches; called if its mark has no names.
  /// - Returns: the runs, newest first.
  /// - Throws: `foreign` or `cannotCreate` for a folder that cannot be used.
  package func runs(
    after start: RunID? = nil, where isNamed: (RunNames) -> Bool,
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

  /// The runs whose folders are missing although they were not pruned.
  package func lostRuns() throws(JournalError) -> [RunID] {
    let runs = Set(try runs())
    return try names(in: .intents).compactMap(RunID.init(_:)).filter {
      !runs.contains($0) && isLost($0)
    }
  }

  /// Whether a run's folder is missing although the run was not pruned.
  ///
  /// A new run creates its mark, then its folder, and then updates the mark. So the mark is read first;
  /// if it was never updated, the run may not have a folder yet.
  package func isLost(_ id: RunID) -> Bool {
    do throws(JournalError) {
      guard let mark = try intentMark(of: id), mark.entry > 0 else { return false }
    } catch {
      guard error.kind == .damaged, !IntentFile.isUnfinished(markPath(id)) else {
        return false
      }
    }
    return !OpenFile.exists(folder(of: id)) && !isPruned(id)
  }

  private func intentMark(of id: RunID) throws(JournalError) -> IntentMark? {
    try PrivateFolder.refuseForeign(path(of: .intents))
    return try IntentFile.mark(at: markPath(id))
  }
}
