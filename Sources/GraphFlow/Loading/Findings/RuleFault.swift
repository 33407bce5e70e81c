/// What is wrong with a value, without the place of the value.
struct RuleFault: Error {
  let rule: RuleID
  let message: String
  var severity = Diagnostic.Severity.error
  var hint: String?
  /// The text that fixes the problem in place of the characters.
  var fix: String?
  /// The wrong characters of a text; nil for the whole text.
  var characters: Range<Int>?

  init(_ rule: RuleID, _ message: String, hint: String? = nil, characters: Range<Int>? = nil) {
    self.rule = rule
    self.message = message
    self.hint = hint
    self.characters = characters
  }
}
