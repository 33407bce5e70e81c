#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The delay before the answer to each call.
///
/// The k-th call gets the k-th delay, whichever client sends it, so all clients of one seed get the
/// same delays.
struct Latency {
  /// The median delay in milliseconds; zero for no delays.
  let median: Double
  /// The standard deviation of the delay's logarithm.
  let sigma: Double
  private var generator: SplitMix64
  /// When each of the workers is free; empty for a worker for each call.
  private var workers: [ContinuousClock.Instant]
  /// The delays so far, in milliseconds.
  private(set) var drawn: [Double] = []

  init(median: Double, sigma: Double, seed: UInt64, workers: Int) {
    self.median = median
    self.sigma = sigma
    generator = SplitMix64(state: seed)
    self.workers = Array(repeating: .now, count: workers)
  }

  /// When the next call is answered; nil for at once.
  ///
  /// It waits for a worker, who then takes the call's delay.
  mutating func next(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let delay = next()
    if delay == 0 { return nil }
    let worker = workers.indices.min { workers[$0] < workers[$1] }
    let start = worker.map { max(workers[$0], now) } ?? now
    let end = start + .microseconds(Int(delay * 1000))
    if let worker { workers[worker] = end }
    return end
  }

  /// The delay of the next call, log-normal, in milliseconds.
  private mutating func next() -> Double {
    guard median > 0 else { return 0 }
    // Box and Muller; the first factor must not be zero.
    let radius = (-2 * log(1 - generator.fraction())).squareRoot()
    let normal = radius * cos(2 * .pi * generator.fraction())
    let delay = median * exp(sigma * normal)
    drawn.append(delay)
    return delay
  }
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to 1.
  mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }
}
