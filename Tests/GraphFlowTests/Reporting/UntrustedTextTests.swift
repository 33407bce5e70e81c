import Testing

@testable import GraphFlow

@Suite
struct UntrustedTextTests {
  @Test(arguments: [
    ("plain: text, 100 % of it #1", "plain: text, 100 % of it #1"),
    ("::error::x", ": :error::x"), ("  ::error::x", "  : :error::x"), ("a ::b", "a : :b"),
    ("std::vector", "std::vector"), ("x##[group]y", "x# #[group]y"), ("####", "# # # #"),
    ("##vso[a]", "# #vso[a]"), ("a\nb\r\tc", "a\\u{a}b\\u{d} c"),
    ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"), ("\u{202e}gnp", "\\u{202e}gnp"),
    ("\u{9b}31m", "\\u{9b}31m"), ("é 👩‍👩‍👧 日本", "é 👩‍👩‍👧 日本"),
    ("EAAB0123456789abcdef0123456789", "******************************"),
  ])
  func `text from outside neither controls the terminal nor commands CI`(text: String, safe: String)
  { #expect(UntrustedText.safe(text) == safe) }

  @Test
  func `a wrapped paragraph begins no line with a command`() {
    var lines = TextLines(width: 40)
    let text = "a message that is long enough to be broken here ::error::boo and so on"
    lines.add(paragraph: UntrustedText.safe(text), indent: 2)
    let begins = lines.text.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(begins.count > 1)
    #expect(!begins.contains { $0.hasPrefix("::") })
  }
}
