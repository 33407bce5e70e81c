/// The time zone of an ad account, whose days insights count; the raw value is its IANA name.
///
/// Years before the rules of today (2007 in America, 1996 in Europe) have them, too.
package enum AccountZone: String, Hashable, Sendable, CaseIterable {
  case utc = "UTC"
  case chicago = "America/Chicago"
  case denver = "America/Denver"
  case losAngeles = "America/Los_Angeles"
  case newYork = "America/New_York"
  case saoPaulo = "America/Sao_Paulo"
  case dubai = "Asia/Dubai"
  case kolkata = "Asia/Kolkata"
  case singapore = "Asia/Singapore"
  case tokyo = "Asia/Tokyo"
  case brisbane = "Australia/Brisbane"
  case amsterdam = "Europe/Amsterdam"
  case athens = "Europe/Athens"
  case berlin = "Europe/Berlin"
  case dublin = "Europe/Dublin"
  case istanbul = "Europe/Istanbul"
  case lisbon = "Europe/Lisbon"
  case london = "Europe/London"
  case madrid = "Europe/Madrid"
  case paris = "Europe/Paris"
  case rome = "Europe/Rome"
  case warsaw = "Europe/Warsaw"

  private enum Summer { case never, europe, america }

  /// Minutes east of UTC in winter.
  private var minutes: Int {
    switch self {
    case .utc, .dublin, .lisbon, .london: 0
    case .amsterdam, .berlin, .madrid, .paris, .rome, .warsaw: 60
    case .athens: 120
    case .istanbul: 180
    case .dubai: 240
    case .kolkata: 330
    case .singapore: 480
    case .tokyo: 540
    case .brisbane: 600
    case .saoPaulo: -180
    case .newYork: -300
    case .chicago: -360
    case .denver: -420
    case .losAngeles: -480
    }
  }

  private var summer: Summer {
    switch self {
    case .chicago, .denver, .losAngeles, .newYork: .america
    case .amsterdam, .athens, .berlin, .dublin, .lisbon, .london, .madrid, .paris, .rome, .warsaw:
      .europe
    case .utc, .saoPaulo, .dubai, .kolkata, .singapore, .tokyo, .brisbane, .istanbul: .never
    }
  }

  /// The seconds that the zone's clocks have counted since 1970: days begin at midnight there.
  func local(_ seconds: Int) -> Int {
    seconds + minutes * 60 + (isSummer(seconds) ? 3_600 : 0)
  }

  /// The time at which the zone's clocks show a number of seconds since 1970.
  func time(local: Int) -> Int {
    let winter = local - minutes * 60
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
          GraphTime.sunday(2, ofMonth: 3, year) * 24 + 2 - minutes / 60,
          GraphTime.sunday(1, ofMonth: 11, year) * 24 + 1 - minutes / 60
        )
      }
    return (start * 3_600..<end * 3_600).contains(seconds)
  }
}
