/// Characters that look like others or like nothing, and come from word processors and web pages.
struct OddCharacter {
  /// The character.
  let scalar: Unicode.Scalar

  /// The first such character of a text.
  init?(in text: String) {
    // All of them are written in two or three bytes of UTF-8.
    guard text.utf8.contains(where: { $0 >= 0xc2 }),
      let scalar = text.unicodeScalars.first(where: { Self.kind(of: $0) != nil })
    else { return nil }
    self.scalar = scalar
  }

  /// The character, if it is one of them.
  init?(_ scalar: Unicode.Scalar) {
    guard Self.kind(of: scalar) != nil else { return nil }
    self.scalar = scalar
  }

  /// What it is called: `a no-break space (U+00A0)`.
  var name: String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    guard let kind = Self.kind(of: scalar) else { return code }
    return "\(kind.name) (\(code))"
  }

  /// What to type instead of a key or word that holds it.
  func hint(for text: String) -> String {
    let plain = Self.plain(text)
    return "it holds \(name): type \(YAMLFault.short(plain.isEmpty ? "it" : plain))"
  }

  /// A text with what such characters stand for.
  static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let kind = kind(of: scalar) {
        plain.append(contentsOf: kind.plain.unicodeScalars)
      } else {
        plain.append(scalar)
      }
    }
    return String(String(plain).trimmed)
  }

  /// Whether it is a quotation mark of print.
  var isQuote: Bool { Self.kind(of: scalar)?.name == "a typographic quote" }

  /// Whether nothing is to be seen of it.
  var isUnseen: Bool { Self.kind(of: scalar)?.plain.isEmpty == true }

  /// Whether it is one that nobody means to write into a name or path.
  var isUnseenOrQuote: Bool { isQuote || isUnseen }

  /// What a character is called, and what is typed in its place.
  private static func kind(of scalar: Unicode.Scalar) -> (name: String, plain: String)? {
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
