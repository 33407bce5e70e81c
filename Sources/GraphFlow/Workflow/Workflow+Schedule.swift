extension Workflow {
  /// When a workflow is meant to be run: `schedule`.
  package struct Schedule: Hashable, Sendable {
    /// The times, as cron has them.
    package let cron: CronLine
    /// The zone in which they are meant: a name of the IANA time zone database.
    package let timeZone: String
    /// Where `schedule` stands.
    package let location: SourceLocation
  }
}
