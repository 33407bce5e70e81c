/// What a run is known by, and the instants that its placeholders stand for.
package struct RunIdentity: Hashable, Sendable {
  package let id: RunID
  package let startedAt: Timestamp
  /// The instant of all dates: the start of the run or, for a part of a job, of the job's first run.
  package let datesFrom: Timestamp

  package init(id: RunID, startedAt: Timestamp, datesFrom: Timestamp? = nil) {
    (self.id, self.startedAt, self.datesFrom) = (id, startedAt, datesFrom ?? startedAt)
  }
}

extension RunStart {
  /// The identity of the run, which it keeps when it is resumed.
  package var identity: RunIdentity {
    RunIdentity(id: id, startedAt: startedAt, datesFrom: datesFrom)
  }
}
