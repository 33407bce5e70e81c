/// The times of a schedule: cron's five fields, parsed and valid.
///
/// Source: POSIX, crontab, "INPUT FILES"; the names, the steps and `7` for Sunday are those that
/// every cron in use supports (crontab(5)).
package struct CronLine: Hashable, Sendable {
  /// One field: the values that it allows.
  package struct Field: Hashable, Sendable {
    /// The values as bits: bit 5 is set if 5 is allowed.
    let bits: UInt64
    /// Whether it begins with `*`; cron uses this to combine the two fields for days.
    package let isOpen: Bool
    package var values: [Int] { (0..<64).filter { contains($0) } }

    package func contains(_ value: Int) -> Bool {
      (0..<64).contains(value) && bits & (1 << UInt64(value)) != 0
    }
  }

  package let text: String
  package let minutes: Field
  package let hours: Field
  package let daysOfMonth: Field
  package let months: Field
  /// 0 to 6, Sunday first; a written 7 is 0.
  package let daysOfWeek: Field

  /// Whether it matches any day: 30 February never comes.
  package var matchesAnyDay: Bool {
    // A field that restricts weekdays is enough: it applies alone, or the fields are alternatives.
    guard daysOfWeek.isOpen else { return true }
    let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return months.values.contains { month in
      daysOfMonth.values.contains { $0 <= lengths[month - 1] }
    }
  }
}
