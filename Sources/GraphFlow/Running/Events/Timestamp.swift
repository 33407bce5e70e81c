/// A wall-clock time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// The wall clock is for people and for ids only. Deadlines and delays use the monotonic clock (see
/// ``RunState``), so a change of the wall clock cannot lengthen or shorten a wait.
package struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The timestamp after a duration, rounded down to the millisecond.
  package func advanced(by duration: Duration) -> Timestamp {
    Timestamp(milliseconds: milliseconds &+ duration.milliseconds)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// RFC 3339 in UTC with milliseconds: `2026-11-20T09:00:00.000Z`.
  package var description: String {
    var text = RecordText()
    write(to: &text)
    return String(decoding: text.take(), as: UTF8.self)
  }

  /// Appends the ``description``.
  ///
  /// It writes digit by digit, because a report has a timestamp for each attempt and call.
  func write(to text: inout RecordText) {
    let (days, rest) = milliseconds.dividedDown(by: 86_400_000)
    let day = CalendarDay(daysSince1970: days)
    let hasLongYear = !(0...9999).contains(day.year)
    if hasLongYear { text.append(Int(day.year)) }
    text.append(atMost: 24) { end in
      if !hasLongYear { end.write(UInt(day.year), digits: 4) }
      end.write("-")
      end.write(UInt(day.month), digits: 2)
      end.write("-")
      end.write(UInt(day.day), digits: 2)
      end.write("T")
      end.write(UInt(rest / 3_600_000), digits: 2)
      end.write(":")
      end.write(UInt(rest / 60_000 % 60), digits: 2)
      end.write(":")
      end.write(UInt(rest / 1000 % 60), digits: 2)
      end.write(".")
      end.write(UInt(rest % 1000), digits: 3)
      end.write("Z")
    }
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  package var milliseconds: Int64 {
    components.seconds &* 1000 &+ components.attoseconds / 1_000_000_000_000_000
  }
}
