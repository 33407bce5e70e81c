/// The exact value of a JSON number: ± 0.d₁d₂d₃… × 10^exponent, where d₁ and the last digit are not 0.
///
/// Zero has no digits, no sign and exponent 0, so equal values have equal fields.
struct Decimal: Hashable {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent: Int128 = 0

  /// The largest exponent that is kept: far beyond any meaningful one, and far from overflow.
  private static let exponentLimit: Int128 = 1_000_000_000_000_000_000_000_000_000_000

  /// Parses text that is already known to be a JSON number.
  init(_ lexeme: String) {
    var writtenExponent: Int128 = 0
    var isExponentNegative = false
    var part = Part.integer
    for byte in lexeme.utf8 {
      switch (byte, part) {
      case (UInt8(ascii: "-"), .exponent): isExponentNegative = true
      case (UInt8(ascii: "-"), _): isNegative = true
      case (UInt8(ascii: "."), _): part = .fraction
      case (UInt8(ascii: "e"), _), (UInt8(ascii: "E"), _): part = .exponent
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), .exponent):
        writtenExponent = min(
          writtenExponent * 10 + Int128(byte - UInt8(ascii: "0")), Self.exponentLimit)
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), _):
        append(byte, isWhole: part == .integer)
      default: break
      }
    }
    exponent += isExponentNegative ? -writtenExponent : writtenExponent
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  private enum Part {
    case integer
    case fraction
    case exponent
  }

  private mutating func append(_ digit: UInt8, isWhole: Bool) {
    if digits.isEmpty, digit == UInt8(ascii: "0") {
      // A zero before the first digit counts only after the decimal point.
      if !isWhole { exponent -= 1 }
    } else {
      digits.append(digit)
      if isWhole { exponent += 1 }
    }
  }

  /// The value as an `Int`, or nil if it is not whole or does not fit.
  var integer: Int? {
    guard !digits.isEmpty else { return 0 }
    guard exponent >= digits.count, exponent <= 19 else { return nil }
    let zeros = String(repeating: "0", count: Int(exponent) - digits.count)
    return Int((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + zeros)
  }
}

extension Decimal: Comparable {
  static func < (left: Decimal, right: Decimal) -> Bool {
    guard left.sign == right.sign else { return left.sign < right.sign }
    return left.isNegative
      ? right.isSmallerInMagnitude(than: left) : left.isSmallerInMagnitude(than: right)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func isSmallerInMagnitude(than other: Decimal) -> Bool {
    exponent == other.exponent
      ? digits.lexicographicallyPrecedes(other.digits) : exponent < other.exponent
  }
}
