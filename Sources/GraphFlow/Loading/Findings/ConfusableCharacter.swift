/// A character that looks like another one or is invisible; word processors and web pages insert
/// them.
struct ConfusableCharacter {
  private let scalar: Unicode.Scalar
  private let kind: Kind

  private typealias Kind = (name: String, plain: String)

  /// The first such character of a text; nil if it has none.
  init?(in text: String) {
    // All of them take two or three bytes of UTF-8.
    guard text.utf8.contains(where: { $0 >= 0xc2 }),
      let first = text.unicodeScalars.lazy.compactMap({ ConfusableCharacter($0) }).first
    else { return nil }
    self = first
  }

  init?(_ scalar: Unicode.Scalar) {
    guard let kind = Self.kind(of: scalar) else { return nil }
    self.scalar = scalar
    self.kind = kind
  }

  /// Its name in messages: `a no-break space (U+00A0)`.
  var name: String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
    return "\(kind.name) (U+\(zeros)\(digits))"
  }

  /// What to type instead of a key or word that contains it.
  func hint(for text: String) -> String {
    let plain = Self.plain(text)
    return "it contains \(name): type \((plain.isEmpty ? "it" : plain).short)"
  }

  /// The text with each confusable character replaced by what was probably meant.
  static func plain(_ text: String) -> String {
    let plain = text.unicodeScalars.reduce(into: "") { $0 += kind(of: $1)?.plain ?? String($1) }
    return plain.trimmed
  }

  var isQuote: Bool { kind.name == "a typographic quote" }

  var isInvisible: Bool { kind.plain.isEmpty }

  /// Whether no one writes it into a name or path on purpose.
  var isInvisibleOrQuote: Bool { isQuote || isInvisible }

  private static func kind(of scalar: Unicode.Scalar) -> Kind? {
    switch scalar.value {
    case 0xa0, 0x2007, 0x202f: ("a no-break space", " ")
    case 0x2000...0x2006, 0x2008...0x200a, 0x3000: ("a wide space", " ")
    case 0x200b: ("a zero-width space", "")
    case 0x200c, 0x200d, 0x2060: ("an invisible joiner", "")
    case 0x200e, 0x200f: ("an invisible direction mark", "")
    case 0xad: ("an invisible hyphen", "")
    case 0xfeff: ("a byte order mark", "")
    case 0x201c...0x201f, 0xab, 0xbb: ("a typographic quote", "\"")
    case 0x2018...0x201b: ("a typographic quote", "'")
    case 0x2010...0x2015, 0x2212: ("a typographic dash", "-")
    case 0xff1a: ("a wide colon", ": ")
    default: nil
    }
  }
}

extension StringProtocol {
  /// At most forty characters of a text, to quote it in a message.
  var short: String { utf8.count > 40 && count > 40 ? prefix(39) + "…" : String(self) }

  var withoutQuotes: String { String(filter { $0 != "\"" && $0 != "'" }) }

  /// The text without leading and trailing spaces.
  var trimmed: String {
    let rest = drop { $0 == " " }
    return String(
      rest[..<(rest.lastIndex { $0 != " " }.map(rest.index(after:)) ?? rest.startIndex)])
  }
}
