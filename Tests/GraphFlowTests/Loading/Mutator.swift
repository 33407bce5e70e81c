/// Makes broken texts from valid ones; the same seed gives the same texts.
struct Mutator {
  private var generator: MutationTests.Generator
  private let corpus: [[UInt8]]

  /// Fragments that break files more often than random bytes do.
  private static let fragments: [[UInt8]] =
    [
      "{result=", "{input=", "{item=", "{item}", "{index}", "{run=id}", "{{", "}", "]", "[", "(",
      ")",
      "\"", "'", "\n", "\t", ": ", "- ", "&a ", "*a", "<<: *a", "!!int ", "|", ">", "#", "%", "@",
      "\u{0}", "\u{feff}", "\u{85}", "\u{2028}", "\r", "null", "true", ".inf", "1e999", "-0",
      "0xffffffffffffffffffff", "99999999999999999999", "-9007199254740992", "$.x[?@.a==", "..",
      "/",
      "||", "&&", "!", "\u{1f388}", "---\n", "...\n", "for_each: ", "requests: ", "\\u", "\\ud83d",
      "[::-1]", "[*]", "length(", "count(", "match(", "status()", "header('", " | ", "==", "<=",
      "# graphflow: ignore unused-input", "fields: ", "limit: ", "when: ", "expect: [",
    ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0x1b]]

  init(seed: UInt64, corpus: [String]) {
    generator = MutationTests.Generator(state: seed)
    self.corpus = corpus.map { Array($0.utf8) }
  }

  /// A text of the corpus with up to eight changes.
  mutating func next() -> [UInt8] {
    var bytes = pick(corpus)
    for _ in 0...below(8) { mutate(&bytes) }
    return bytes
  }

  /// A number from 0 on.
  mutating func below(_ bound: Int) -> Int {
    bound > 1 ? Int(truncatingIfNeeded: generator.next() >> 33) % bound : 0
  }

  private mutating func pick(_ list: [[UInt8]]) -> [UInt8] {
    list.isEmpty ? [] : list[below(list.count)]
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    let end = min(bytes.count, place + below(16))
    switch below(9) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(contentsOf: Array(bytes[place..<end]), at: below(bytes.count + 1))
    case 2: bytes.replaceSubrange(place..<end, with: pick(Self.fragments))
    case 3, 4: bytes.insert(contentsOf: pick(Self.fragments), at: place)
    case 5 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: below(256))
    case 6 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 7:
      // A piece of another text.
      let other = pick(corpus)
      let start = below(other.count + 1)
      bytes.insert(contentsOf: other[start..<min(other.count, start + below(64))], at: place)
    default: bytes.removeLast(min(bytes.count, below(40)))
    }
  }
}
