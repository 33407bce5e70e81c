/// A reference as it was found in a text, before its names are looked up.
struct ScannedReference {
  /// The forms that references have (docs/reference/language.md, "References").
  enum Keyword: String, CaseIterable {
    case result
    case input
    case item
    case index
    case run
  }

  /// Part of the reference.
  struct Piece {
    var text: String
    /// Where it stands in the text, in bytes of UTF-8.
    var bytes: Range<Int>
  }

  var keyword: Keyword
  /// What follows `=`: the request's or input's name, or what is asked of the run.
  var name: Piece?
  /// The query; nil for the form without one.
  var query: Piece?
  /// What follows `|`, without the spaces around it.
  var fallback: Piece?
  /// All of it, with its braces.
  var whole: Piece
}

/// Something in a text that is no reference and no text either.
struct TemplateFault {
  var rule: RuleID
  var message: String
  var hint: String?
  var fix: String?
  /// A request's name and a query that ran into one another: `a.data[0].id`.
  var dotted: String?
  /// Where it stands in the text, in bytes of UTF-8.
  var bytes: Range<Int>
}
