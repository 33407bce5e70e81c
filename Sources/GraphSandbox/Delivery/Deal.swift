/// Deals a total out in proportion to weights, in whole numbers.
///
/// No share is negative, and once all weights were dealt the shares add up to the total. If the total
/// is not larger than the sum of the weights, no share is larger than its weight. More weights than
/// announced may be dealt: the ratio stays.
struct Deal: Sendable {
  private let total: Int
  private let whole: Int
  private let phase: Int
  private var weight = 0
  private var dealt = 0

  /// Deals `total` out over weights that add up to `whole`; the phase, a number below `whole`, says
  /// where small totals go.
  init(_ total: Int, over whole: Int, phase: Int = 0) {
    self.total = total
    self.whole = whole
    self.phase = phase
  }

  mutating func next(_ weight: Int) -> Int {
    guard whole > 0 else { return 0 }
    self.weight &+= weight
    let sum = share
    defer { dealt = sum }
    return sum &- dealt
  }

  /// `(total * weight + phase) / whole`, with a product of 128 bits if it needs them.
  private var share: Int {
    let product = total.multipliedReportingOverflow(by: weight)
    let sum = product.partialValue.addingReportingOverflow(phase)
    guard product.overflow || sum.overflow else { return sum.partialValue / whole }
    let wide = Int128(total) * Int128(weight) + Int128(phase)
    return Int(clamping: wide / Int128(whole))
  }
}

/// Pseudorandom numbers of one object: the same for the same id and purpose.
struct Dice: Hashable, Sendable {
  private let seed: UInt64

  init(_ id: String) {
    // FNV-1a, 64 bits.
    seed = id.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }

  /// A number from 0 up to, not including, a limit.
  func roll(_ purpose: Int, below limit: Int) -> Int {
    guard limit > 1 else { return 0 }
    var state = seed &+ UInt64(bitPattern: Int64(purpose)) &* 0xD1B5_4A32_D192_ED03
    return Int(SeededText.next(&state) % UInt64(limit))
  }
}
