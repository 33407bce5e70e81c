/// Measures how long something takes: several times, and the best counts.
///
/// The best is the one that was disturbed least by the rest of the machine.
struct Stopwatch {
  /// How often.
  let rounds: Int

  /// The shortest time that the body took.
  func best(_ body: () throws -> Void) rethrows -> Duration {
    var best = Duration.seconds(Int64.max / 2)
    for _ in 0..<rounds { best = min(best, try ContinuousClock().measure(body)) }
    return best
  }

  /// Megabytes (10^6 bytes) a second.
  static func rate(bytes: Int, in time: Duration) -> String {
    "\(number(Double(bytes) / 1e6 / seconds(time))) MB/s"
  }

  /// Things a second.
  static func rate(count: Int, of things: String, in time: Duration) -> String {
    "\(number(Double(count) / seconds(time))) \(things)/s"
  }

  /// Milliseconds.
  static func milliseconds(_ time: Duration) -> String {
    "\(number(seconds(time) * 1000)) ms"
  }

  /// Three significant digits or all digits before the point.
  static func number(_ value: Double) -> String {
    guard value < 100 else { return String(Int(value.rounded())) }
    let scaled = Int((value * 100).rounded())
    let cents = scaled % 100
    return "\(scaled / 100).\(cents < 10 ? "0" : "")\(cents)"
  }

  static func seconds(_ time: Duration) -> Double {
    Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }
}

/// One figure of the bench.
struct BenchFigure {
  /// What is measured.
  let name: String
  /// Measures it and says the result with its unit.
  let measured: (Stopwatch) throws -> String
}
