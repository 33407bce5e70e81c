/// What `{date=BASE±OFFSET@ZONE:FORMAT}` stands for (docs/reference/language.md, "Dates and time
/// zones").
package struct DateExpression: Hashable, Sendable {
  package enum BaseTime: String, Hashable, Sendable, CaseIterable {
    case now, today, yesterday, tomorrow
  }

  package enum Format: String, Hashable, Sendable, CaseIterable {
    /// A day: `2026-11-20`.
    case date
    /// Seconds since 1970, a number.
    case unix
    /// A time in UTC: `2026-11-20T09:00:00Z`.
    case rfc3339
  }

  package enum Zone: Hashable, Sendable {
    /// A name of the IANA time zone database.
    case named(String)
    case input(InputName)
  }

  package var base: BaseTime
  /// The days of the offset.
  package var days: Int64 = 0
  /// The hours, minutes and seconds of the offset, in seconds.
  package var seconds: Int64 = 0
  package var zone: Zone
  package var format = Format.date

  /// The most days and seconds of an offset: a hundred years.
  static let maximumDays: Int64 = 36_525
}
