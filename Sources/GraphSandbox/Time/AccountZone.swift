/// The time zone of an ad account, whose days insights count: an IANA name, and its rule.
///
/// Years before the rules of today (2007 in America, 1996 in Europe) have them, too.
struct AccountZone: Hashable, Sendable {
  private enum Summer { case never, europe, america }

  let name: String
  /// Seconds east of UTC in winter.
  private let offset: Int
  private let summer: Summer

  private init(_ name: String, minutes: Int, _ summer: Summer = .never) {
    (self.name, offset, self.summer) = (name, minutes * 60, summer)
  }

  static let all = [
    AccountZone("UTC", minutes: 0),
    AccountZone("America/Chicago", minutes: -360, .america),
    AccountZone("America/Denver", minutes: -420, .america),
    AccountZone("America/Los_Angeles", minutes: -480, .america),
    AccountZone("America/New_York", minutes: -300, .america),
    AccountZone("America/Sao_Paulo", minutes: -180),
    AccountZone("Asia/Dubai", minutes: 240),
    AccountZone("Asia/Kolkata", minutes: 330),
    AccountZone("Asia/Singapore", minutes: 480),
    AccountZone("Asia/Tokyo", minutes: 540),
    AccountZone("Australia/Brisbane", minutes: 600),
    AccountZone("Europe/Amsterdam", minutes: 60, .europe),
    AccountZone("Europe/Athens", minutes: 120, .europe),
    AccountZone("Europe/Berlin", minutes: 60, .europe),
    AccountZone("Europe/Dublin", minutes: 0, .europe),
    AccountZone("Europe/Istanbul", minutes: 180),
    AccountZone("Europe/Lisbon", minutes: 0, .europe),
    AccountZone("Europe/London", minutes: 0, .europe),
    AccountZone("Europe/Madrid", minutes: 60, .europe),
    AccountZone("Europe/Paris", minutes: 60, .europe),
    AccountZone("Europe/Rome", minutes: 60, .europe),
    AccountZone("Europe/Warsaw", minutes: 60, .europe),
  ]

  /// The zone of accounts whose description names none.
  static let standard = "Europe/London"

  /// A zone of the table; UTC if the name is not there.
  static func named(_ name: String) -> AccountZone {
    all.first { $0.name == name } ?? all[0]
  }

  /// The seconds that the zone's clocks have counted since 1970: days begin at midnight there.
  func local(_ seconds: Int) -> Int {
    seconds + offset + (isSummer(seconds) ? 3_600 : 0)
  }

  /// The time at which the zone's clocks show a number of seconds since 1970.
  func time(local: Int) -> Int {
    let winter = local - offset
    return isSummer(winter - 3_600) ? winter - 3_600 : winter
  }

  private func isSummer(_ seconds: Int) -> Bool {
    guard summer != .never, seconds >= 86_400 else { return false }
    let year = GraphTime.date(days: seconds / 86_400).year
    let (start, end) =
      switch summer {
      case .europe:
        // One o'clock UTC of the last Sundays.
        (
          GraphTime.sunday(-1, ofMonth: 3, year) * 24 + 1,
          GraphTime.sunday(-1, ofMonth: 10, year) * 24 + 1
        )
      default:
        // Two o'clock in standard time, and two o'clock in daylight saving time.
        (
          GraphTime.sunday(2, ofMonth: 3, year) * 24 + 2 - offset / 3_600,
          GraphTime.sunday(1, ofMonth: 11, year) * 24 + 1 - offset / 3_600
        )
      }
    return (start * 3_600..<end * 3_600).contains(seconds)
  }
}
