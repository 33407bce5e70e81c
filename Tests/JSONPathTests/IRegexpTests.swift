import JSONPath
import Testing

@Suite struct IRegexpTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false),
    ("a|b|", "b", true), ("a|b|", "", true), ("a|b|", "ab", false),
    ("(ab)*c", "ababc", true), ("(ab)*c", "abac", false), ("a+", "", false), ("a+", "aaa", true),
    ("a?b", "b", true), ("a?b", "aab", false), ("a{2}", "aa", true), ("a{2}", "aaa", false),
    ("a{2,}", "a", false), ("a{2,}", "aaaaa", true), ("a{1,3}", "aaa", true),
    ("a{1,3}", "aaaa", false), ("a{0}", "", true), ("a{0}", "a", false), ("(a*)*", "aaa", true),
    ("(a*)+b", "aab", true), ("(|a)+", "aa", true), ("((a|b)c?){2}", "acb", true),
    (".", "x", true), (".", "\n", false), (".", "\r", false), (".", "\u{2028}", true),
    (".", "🌍", true), (".", "e\u{301}", false), ("..", "e\u{301}", true), ("...", "\r\nx", false),
    ("[abc]", "b", true), ("[^abc]", "b", false), ("[^abc]", "\n", true), ("[a-c]", "c", true),
    ("[a-c]", "d", false), ("[-a]", "-", true), ("[a-]", "-", true), ("[-]", "-", true),
    ("[a^]", "^", true), ("[.]", "x", false), ("[*+?(){}|$]+", "*+?(){}|$", true),
    (#"\.\*\+\?\(\)\[\]\{\}\|\\\^\-"#, #".*+?()[]{}|\^-"#, true), (#"\n\r\t"#, "\n\r\t", true),
    (#"[\]\[\\]+"#, #"][\"#, true), (#"[\n-\r]"#, "\u{b}", true),
    (#"\p{Lu}\p{Ll}+"#, "Élan", true), (#"\p{Lu}"#, "é", false), (#"\p{L}+"#, "aÉ世", true),
    (#"\p{Nd}+"#, "42٣", true), (#"\P{L}"#, "1", true), (#"\P{L}"#, "a", false),
    (#"[\p{L}\p{N}_]+"#, "a1_世", true), (#"[^\p{L}]"#, "a", false), (#"[^\P{L}]"#, "a", true),
    (#"\p{Sc}"#, "€", true), (#"\p{Zs}"#, " ", true), (#"\p{C}"#, "\u{7}", true),
    (#"\p{So}"#, "🌍", true), (#"\p{Cn}"#, "\u{378}", true),
    ("^ab$", "ab", true), ("^a|b$", "a", true), ("x^y", "x^y", true), ("a$b", "a$b", true),
    ("[$]5", "$5", true), ("a{01,002}", "aa", true), ("é", "e\u{301}", false),
  ])
  func `a pattern matches a whole text or not`(pattern: String, text: String, matches: Bool) throws
  {
    let regexp = try IRegexp(pattern)

    #expect(regexp.matches(text) == matches)
    #expect(try regexp.matches(text, limit: .standard) == matches)
    if matches { #expect(regexp.isFound(in: text)) }
  }

  @Test(arguments: [
    ("b", "abc", true), ("d", "abc", false), ("", "", true), ("", "x", true), ("a*", "bbb", true),
    ("^a", "ba", false), ("^b", "ba", true), ("a$", "ab", false), ("b$", "ab", true),
    ("(^|,)x(,|$)", "a,x,b", true), ("(^|,)x(,|$)", "a,xx", false), ("^$", "", true),
    ("$", "ab", true), ("a{0}$", "b", true),
    ("^$", "a", false), ("a.c", "xxabcxx", true), ("a.c", "xxa\ncxx", false),
    ("世", "hello 世界", true),
    ("[0-9]{4}-[0-9]{2}", "on 2024-05-01", true),
  ])
  func `a pattern is found in a text or not`(pattern: String, text: String, isFound: Bool) throws {
    let regexp = try IRegexp(pattern)

    #expect(regexp.isFound(in: text) == isFound)
    #expect(try regexp.isFound(in: text, limit: .standard) == isFound)
  }

  @Test(arguments: [
    ("(", 0, "this '(' is never closed"), ("a)", 1, "unmatched ')'"),
    ("[a", 0, "this '[' is never closed"), ("[]", 0, "this set is empty"),
    ("[^]", 0, "this set is empty"),
    ("*a", 0, "nothing to repeat before this quantifier"),
    ("a**", 2, "nothing to repeat before this quantifier"),
    ("a|+", 2, "nothing to repeat before this quantifier"), ("a{", 2, "expected a count"),
    ("a{1", 3, "expected '}'"), ("a{,2}", 2, "expected a count"),
    ("a{3,2}", 1, "the minimum count is larger than the maximum"),
    ("]", 0, #"this character must be escaped with '\'"#),
    ("a}", 1, #"this character must be escaped with '\'"#),
    (#"\"#, 0, "the pattern ends inside an escape"), (#"\d"#, 0, "no such escape in I-Regexp"),
    (#"\$"#, 0, "no such escape in I-Regexp"), (#"\p{Xx}"#, 0, "unknown character category"),
    (#"\p{Cs}"#, 0, "unknown character category"),
    (#"\p{IsGreek}"#, 0, "unknown character category"),
    (#"\p{}"#, 0, "unknown character category"), (#"\pL"#, 0, #"expected '{' after \p or \P"#),
    ("[z-a]", 1, "this range ends before it starts"),
    ("[a-c-e]", 4, "a hyphen must be first or last in a set"),
    ("[[a]", 1, #"this character must be escaped with '\'"#),
    (#"[\d]"#, 1, "no such escape in I-Regexp"),
  ])
  func `an error in a pattern is reported with its position`(
    pattern: String, offset: Int, message: String
  ) {
    let error = #expect(throws: IRegexp.SyntaxError.self) { try IRegexp(pattern) }

    #expect(error?.offset == offset)
    #expect(error?.message == message)
  }

  @Test(arguments: [
    "(a+)+", "(a|a)*", "(a|aa)+", "(a*)*", "(.*a){20}", "([a-z]+)*", "(a?){100}a{100}",
  ])
  func `patterns that make backtracking engines hang are matched in linear time`(
    pattern: String
  ) throws {
    let regexp = try IRegexp(pattern)
    let text = String(repeating: "a", count: 2_000)

    // Twice the text may take about twice the steps: a small multiple of text times pattern.
    #expect(try !regexp.matches(text + "!", limit: StepLimit(steps: 2_000_000)))
    #expect(try !regexp.matches(text + text + "!", limit: StepLimit(steps: 4_000_000)))
  }

  @Test(arguments: [
    "(a{1000}){1000}", "a{999999999999999999999}", "((){1000000000}){1000000000}",
    "(((((a{9}){9}){9}){9}){9}){9}",
    String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000),
  ])
  func `patterns that are too large are rejected at once`(pattern: String) {
    #expect(throws: IRegexp.SyntaxError.self) { try IRegexp(pattern) }
  }

  @Test func `matching ends when the steps are used up`() throws {
    let regexp = try IRegexp("(a|b)*c")

    #expect(throws: QueryLimitExceeded.self) {
      try regexp.matches(String(repeating: "ab", count: 1_000), limit: StepLimit(steps: 1_000))
    }
  }

  @Test func `expressions are equal if their patterns are`() throws {
    #expect(try IRegexp("a|b") == IRegexp("a|b"))
    #expect(try Set([IRegexp("a"), IRegexp("b"), IRegexp("a")]).count == 2)
    #expect(try IRegexp("a+").description == "a+")
  }
}
