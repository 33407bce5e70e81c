extension Workflow {
  /// When a workflow is meant to be run: `schedule`.
  public struct Schedule: Hashable, Sendable {
    /// The times, as cron has them.
    public let cron: CronLine
    /// The zone in which they are meant: a name of the IANA time zone database.
    public let timeZone: String
    /// Where `schedule` stands.
    public let location: SourceLocation
  }
}
