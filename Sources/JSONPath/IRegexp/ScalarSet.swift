/// A set of Unicode scalars: ranges and general categories, or their complement.
struct ScalarSet: Sendable {
  private var ranges: [ClosedRange<Unicode.Scalar>] = []
  private var categories: Set<Unicode.GeneralCategory> = []
  private var isInverted = false

  /// The set of `.`: all scalars except line ends (RFC 9485 §5.3).
  static let anyButLineEnds = ScalarSet(
    ranges: ["\n"..."\n", "\r"..."\r"], isInverted: true)

  mutating func insert(_ range: ClosedRange<Unicode.Scalar>) { ranges.append(range) }

  mutating func insert(_ categories: Set<Unicode.GeneralCategory>) {
    self.categories.formUnion(categories)
  }

  mutating func invert() { isInverted.toggle() }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isListed =
      ranges.contains { $0.contains(scalar) }
      || !categories.isEmpty
        && categories.contains(scalar.properties.generalCategory)
    return isListed != isInverted
  }

  /// The cost of `contains`, in steps.
  var weight: Int { 1 + ranges.count / 16 }
}

extension ScalarSet {
  init(_ scalar: Unicode.Scalar) {
    self.init()
    insert(scalar...scalar)
  }

  /// The general categories (UAX #44 §5.7.1) that `\p{…}` names: one such as `Lu`, or a group such as
  /// `L`; nil if the name is unknown.
  static func categories(named name: String) -> Set<Unicode.GeneralCategory>? {
    let members = names.filter { $0.name == name || name.count == 1 && $0.name.hasPrefix(name) }
    return members.isEmpty ? nil : Set(members.map(\.category))
  }

  /// All categories that have a name.
  static var allCategories: Set<Unicode.GeneralCategory> { Set(names.map(\.category)) }

  /// RFC 9485's names; surrogates (`Cs`) are missing, because no text contains any.
  private static let names: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter),
    ("Lm", .modifierLetter), ("Lo", .otherLetter),
    ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber),
    ("Pc", .connectorPunctuation), ("Pd", .dashPunctuation), ("Ps", .openPunctuation),
    ("Pe", .closePunctuation), ("Pi", .initialPunctuation), ("Pf", .finalPunctuation),
    ("Po", .otherPunctuation),
    ("Zs", .spaceSeparator), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
    ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol), ("So", .otherSymbol),
    ("Cc", .control), ("Cf", .format), ("Co", .privateUse), ("Cn", .unassigned),
  ]
}
