/// The time of a running sandbox, in seconds since 1970.
///
/// It runs on by the machine's clock, however far ahead of it the world is, or by the calls.
struct WorldClock: Sendable {
  /// The machine's time; nil: each call takes one second.
  private let machine: (@Sendable () -> Int)?
  /// How far the world is ahead of the machine.
  private var lead = 0

  /// Makes a clock that shows a time at first; nil: the machine's.
  init(_ machine: (@Sendable () -> Int)?, at start: Int? = nil) {
    self.machine = machine
    if let start { set(to: start) }
  }

  /// The time; nil if each call takes one second.
  var time: Int? { machine.map { min(max($0() + lead, 0), GraphTime.latest) } }

  /// Shows another time from now on.
  mutating func set(to time: Int) { lead = time - (machine?() ?? time) }
}
