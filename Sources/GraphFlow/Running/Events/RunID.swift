/// The identity of a run: a ULID of 26 characters, sorted by the start of the run.
///
/// A resumed run keeps its id. The alphabet is Crockford's base 32 (https://github.com/ulid/spec):
/// 48 bits of time, then 80 random bits.
package struct RunID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let description: String

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  package init(startedAt: Timestamp, using generator: inout some RandomNumberGenerator) {
    var characters: [Character] = []
    for shift in stride(from: 45, through: 0, by: -5) {
      characters.append(RunID.alphabet[Int((startedAt.milliseconds >> Int64(shift)) & 31)])
    }
    for _ in 0..<16 { characters.append(RunID.alphabet[Int.random(in: 0..<32, using: &generator)]) }
    self.description = String(characters)
  }

  /// Parses an id; `nil` unless it has 26 characters of the alphabet.
  ///
  /// An id is used as the name of a folder, so no other text is accepted.
  package init?(_ text: String) {
    guard text.count == 26, text.allSatisfy(RunID.alphabet.contains) else { return nil }
    self.description = text
  }

  package var startedAt: Timestamp {
    let digits = description.prefix(10).compactMap(RunID.alphabet.firstIndex(of:))
    return Timestamp(milliseconds: digits.reduce(0) { $0 << 5 | Int64($1) })
  }

  package static func < (left: RunID, right: RunID) -> Bool { left.description < right.description }
}
