/// A reference in a text, before its names are resolved.
struct ScannedReference {
  /// The forms that references have (docs/reference/language.md, "References").
  enum Keyword: String, CaseIterable {
    case result
    case input
    case item
    case index
    case row
    case run
    case date
  }

  /// Part of the reference.
  struct Piece {
    var text: String
    /// Its position in the text, in bytes of UTF-8.
    var bytes: Range<Int>
  }

  var keyword: Keyword
  /// The name after `=`: of a request, an input, or a property of the run; all of a date.
  var name: Piece?
  /// The query; nil for the form without one.
  var query: Piece?
  /// The references in the query's filters, with the faults among them.
  var operands: [TemplateScanner.Part] = []
  /// The default after `|`, without the spaces around it.
  var fallback: Piece?
  /// The reference with its braces.
  var whole: Piece
}

/// A malformed or mistyped reference in a text.
struct TemplateFault: Error {
  var message: String
  var hint: String?
  var fix: String?
  /// A request's name followed by a query without `:$`: `a.data[0].id`.
  var dotted: String?
  /// Its position in the text, in bytes of UTF-8.
  var bytes: Range<Int>
}
