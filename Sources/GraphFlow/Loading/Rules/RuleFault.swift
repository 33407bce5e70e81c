/// What a rule has against a value, wherever the value stands.
struct RuleFault {
  let rule: RuleID
  let message: String
  var hint: String?
  /// Which of a text's characters are wrong; nil for the whole text.
  var characters: Range<Int>?

  init(
    _ rule: RuleID,
    _ message: String,
    hint: String? = nil,
    characters: Range<Int>? = nil
  ) {
    self.rule = rule
    self.message = message
    self.hint = hint
    self.characters = characters
  }
}

extension WorkflowReader {
  /// Reports what a rule has against a value.
  mutating func report(_ fault: RuleFault, at location: SourceLocation) {
    report(fault.rule, fault.message, at: location, hint: fault.hint)
  }
}
