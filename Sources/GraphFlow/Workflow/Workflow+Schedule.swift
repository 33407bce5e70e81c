extension Workflow {
  /// When a workflow should run: `schedule`.
  package struct Schedule: Hashable, Sendable {
    /// The times, in cron's syntax.
    package let cron: CronLine
    /// The time zone: a name of the IANA time zone database.
    package let timeZone: String
    /// The place of `schedule`.
    package let location: SourceLocation
  }
}
