/// Characters that look like others or like nothing, and come from word processors and web pages.
struct ConfusableCharacter {
  private let scalar: Unicode.Scalar
  private let kind: Kind

  /// What a character is called, and what is typed in its place.
  private typealias Kind = (name: String, plain: String)

  /// The first such character of a text.
  init?(in text: String) {
    // All of them are written in two or three bytes of UTF-8.
    guard text.utf8.contains(where: { $0 >= 0xc2 }),
      let first = text.unicodeScalars.lazy.compactMap({ ConfusableCharacter($0) }).first
    else { return nil }
    self = first
  }

  /// The character, if it is one of them.
  init?(_ scalar: Unicode.Scalar) {
    guard let kind = Self.kind(of: scalar) else { return nil }
    self.scalar = scalar
    self.kind = kind
  }

  /// What it is called: `a no-break space (U+00A0)`.
  var name: String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
    return "\(kind.name) (U+\(zeros)\(digits))"
  }

  /// What to type instead of a key or word that holds it.
  func hint(for text: String) -> String {
    let plain = Self.plain(text)
    return "it holds \(name): type \(YAMLFault.short(plain.isEmpty ? "it" : plain))"
  }

  /// A text with what such characters stand for.
  static func plain(_ text: String) -> String {
    let plain = text.unicodeScalars.reduce(into: "") { $0 += kind(of: $1)?.plain ?? String($1) }
    return String(plain.trimmed)
  }

  /// Whether it is a quotation mark of print.
  var isQuote: Bool { kind.name == "a typographic quote" }

  /// Whether nothing is to be seen of it.
  var isUnseen: Bool { kind.plain.isEmpty }

  /// Whether it is one that nobody means to write into a name or path.
  var isUnseenOrQuote: Bool { isQuote || isUnseen }

  private static func kind(of scalar: Unicode.Scalar) -> Kind? {
    switch scalar.value {
    case 0xa0, 0x2007, 0x202f: ("a no-break space", " ")
    case 0x2000...0x2006, 0x2008...0x200a, 0x3000: ("a wide space", " ")
    case 0x200b: ("a zero-width space", "")
    case 0x200c, 0x200d, 0x2060: ("an invisible joiner", "")
    case 0x200e, 0x200f: ("an invisible mark of direction", "")
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

extension String {
  /// The text without spaces around it.
  var trimmed: Substring {
    var rest = self[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
