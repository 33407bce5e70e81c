/// Where runs are kept: their journals, the locks that keep two processes from doing the same work, and
/// what is known of Graph's limits.
///
/// ``StateDirectory`` is a folder on one host, and the default. ``PostgreSQLStore`` is a database that
/// several hosts share.
package protocol StateStore<Journal, Lock>: Sendable {
  associatedtype Journal: RunJournal
  associatedtype Lock: StateLock

  /// The place, for messages; without a password.
  var place: String { get }

  /// How long it may take until a run is free whose process was killed.
  var releaseDelay: Duration { get }

  /// The runs, newest first.
  func runs() throws(JournalError) -> [RunID]

  /// Creates a new run with an empty journal.
  ///
  /// - Throws: `cannotCreate` if it exists already, and the errors of writing.
  func createJournal(for id: RunID, named names: RunNames) throws(JournalError) -> Journal

  /// Opens the journal of an existing run, to append to.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, and the errors of writing.
  func openJournal(_ id: RunID, named names: RunNames) throws(JournalError) -> Journal

  /// Opens the journal of an existing run for reading, whether the run is active or not.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, and the errors of reading.
  func reading(_ id: RunID) throws(JournalError) -> JournalReading

  /// Locks a workflow file and a profile; nil if another process holds the lock.
  func lock(file: String, profile: String) throws(JournalError) -> Lock?

  /// Locks a key of a workflow file, for all profiles; nil if another process holds the lock.
  func lock(key: String, of file: String) throws(JournalError) -> Lock?

  /// Locks a run, as every process does that works on it; nil if another process holds the lock, or the
  /// run does not exist.
  func lock(_ id: RunID) throws(JournalError) -> Lock?

  /// Whether a process works on a run; false if that cannot be found out.
  func isActive(_ id: RunID) -> Bool

  /// Requests that the process that works on a run stops, as SIGTERM would.
  func requestStop(of id: RunID) throws(JournalError)

  /// Whether a run is to be stopped; removes the request.
  func takeStopRequest(of id: RunID) -> Bool

  /// The evidence about a run; nil if it was pruned.
  func evidenceUnlessPruned(of id: RunID) throws(JournalError) -> JournalEvidence?

  /// The runs that were started under a lock or a key, newest first.
  ///
  /// - Parameters:
  ///   - start: only runs that were started after this one, by their ids; nil for all.
  ///   - isNamed: whether a run with these names matches.
  ///   - isMeant: whether a run with this start event matches; called if its names are lost.
  /// - Returns: the runs, newest first.
  /// - Throws: the errors of reading.
  func runs(
    after start: RunID?, where isNamed: (RunNames) -> Bool, orStarted isMeant: (RunStart) -> Bool
  ) throws(JournalError) -> [RunID]

  /// The runs whose journals are missing although they were not pruned.
  func lostRuns() throws(JournalError) -> [RunID]

  /// Whether a run's journal is missing although the run was not pruned.
  func isLost(_ id: RunID) -> Bool

  /// Removes a run for ever, atomically.
  func remove(_ id: RunID) throws(JournalError)

  /// Deletes what is left of runs that were removed.
  func removeLeftovers() throws(JournalError)

  /// Keeps a run's workflow file, if other hosts may continue the run; `read` returns nil for a file
  /// that must not be kept.
  func keepFile(of id: RunID, _ read: () -> [UInt8]?) throws(JournalError)

  /// The workflow file of a run; nil if it was not kept.
  func keptFile(of id: RunID) throws(JournalError) -> [UInt8]?

  /// What processes share about Graph's limits; `warn` gets a problem with what is stored.
  func quota(warn: @escaping @Sendable (String) -> Void) -> any QuotaStore

  /// Which windows of days runs have read.
  var bookmarks: BookmarkStore { get }

  /// Whether this process still has its locks: a call may be sent.
  ///
  /// Only a lock with a lease can be lost.
  var holdsLocks: Bool { get }
}

extension StateStore {
  package func latest() throws(JournalError) -> RunID? { try runs().first }
}

/// A journal of one run that events can be appended to and read from.
package protocol RunJournal: Journal {
  /// All events, in order.
  ///
  /// - Throws: `damaged` if an entry is not what was written.
  func events() async throws(JournalError) -> [RunEvent]

  /// Folds all events, in order; only those of one entry are in memory at a time.
  ///
  /// - Throws: `damaged` if an entry is not what was written.
  func fold<Value>(
    into initial: Value, _ update: (inout Value, RunEvent) -> Void
  ) async throws(JournalError) -> Value

  /// Ends its use; a later append throws.
  func close() async throws(JournalError)
}

extension RunJournal {
  package func events() async throws(JournalError) -> [RunEvent] {
    try await fold(into: []) { $0.append($1) }
  }
}

/// The exclusive right to work on something, until the value is destroyed or its process ends.
package protocol StateLock: Sendable {
  /// By which the runs that are started under the lock are found.
  var name: String { get }

  /// The last run that was started under the lock.
  var lastRun: LastRun { get }

  /// Records the run that is started under the lock, durably.
  func record(_ run: RunID) throws(JournalError)
}

/// The last run that was started under a lock.
package enum LastRun: Hashable, Sendable {
  /// The lock is new, or its record was deleted or damaged; runs may exist nevertheless.
  case unknown
  case run(RunID)
  /// It was pruned.
  case pruned(RunID)
}
