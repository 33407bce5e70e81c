import Testing

@testable import GraphFlow

/// `--fix` changes only wrong words.
struct FixingTests {
  private func fixed(_ text: String) -> (text: String, count: Int) {
    let (source, count) = SourceFile(path: "a.yaml", bytes: Array(text.utf8)).fixed()
    return (String(decoding: source.bytes, as: UTF8.self), count)
  }

  private static let head = "graphflow: 1\nrequests:\n"

  @Test(arguments: [
    ("  a: {gte: me}\n", "  a: {get: me}\n"),
    ("  a: # ü\n    'gte' : me   # why\n", "  a: # ü\n    get : me   # why\n"),
    (
      "  a: {get: me, tiemout: 3s, on_error: contineu}\n",
      "  a: {get: me, timeout: 3s, on_error: continue}\n"
    ),
    (
      "  page: {get: me}\n  b: {get: \"é{result=paeg:$.id}\"}\n",
      "  page: {get: me}\n  b: {get: \"é{result=page:$.id}\"}\n"
    ),
    ("  a: {get: /me}\n", "  a: {get: me}\n"),
    (
      "  a: {get: me, permissions: [read_stream, \"user_status\"]}\n",
      "  a: {get: me, permissions: [user_posts, user_posts]}\n"
    ),
    (
      "  a: {get: me}\n  b: {get: me, params: {x: {result=a:$.id}}}\n",
      "  a: {get: me}\n  b: {get: me, params: {x: \"{result=a:$.id}\"}}\n"
    ),
    (
      "  a: {get: me}   # graphflow: ignore unused-inputs\n",
      "  a: {get: me}   # graphflow: ignore unused-input\n"
    ),
    (
      "  # depends_no\n  a: {get: me}\n  b: {get: me, depends_no: [a]}\n",
      "  # depends_no\n  a: {get: me}\n  b: {get: me, depends_on: [a]}\n"
    ),
  ])
  func `a typo is fixed, and nothing else changes`(_ wrong: String, _ right: String) {
    for ending in ["\n", "\r\n"] {
      for mark in ["", "\u{feff}"] {
        let text = mark + (Self.head + wrong).replacing("\n", with: ending)
        let (result, count) = fixed(text)
        #expect(
          Array(result.utf8)
            == Array((mark + (Self.head + right).replacing("\n", with: ending)).utf8))
        #expect(count > 0)
        #expect(fixed(result).count == 0, "fixing twice is fixing once")
      }
    }
  }

  @Test(arguments: [
    // A second 'get' would be a duplicate key.
    "  a: {get: me, gte: you}\n",
    // Renamed, it would refer to itself.
    "  paeg2: {get: me}\n  page: {get: \"{result=pag:$.id}\"}\n",
    // The position of a word in a folded text is unknown.
    "  page: {get: me}\n  b:\n    post: me/feed\n    params:\n      message: >\n        page\n        {result=paeg:$.id}\n",
    // The nearest word is not a name, and would be read as 'message' again.
    "  'message}': {get: me}\n  b: {get: \"{result=message:$.id}\"}\n",
    // No name is near.
    "  a: {get: me, zzzzzzzz: 1}\n", "  a: {get: me}\n",
  ])
  func `an uncertain fix is not applied`(_ text: String) {
    let (fixed, count) = fixed(Self.head + text)
    #expect(fixed == Self.head + text)
    #expect(count == 0)
  }

  @Test func `a harmful fix does not prevent the others`() {
    let (fixed, count) = fixed(
      Self.head + "  a: {get: me, gte: you, tiemout: 3s}\n  b: {gte: me}\n")
    #expect(fixed == Self.head + "  a: {get: me, gte: you, timeout: 3s}\n  b: {get: me}\n")
    #expect(count == 2)
  }

  @Test func `one call fixes what only another fix makes visible`() {
    // The keys of requests are read once the key above them is right, those of `retry` after that,
    // and the reference once its request has its name.
    let wrong = """
      graphflow: 1
      requets:
        page: {gte: me, rtery: {max_attemps: 2, on: [transeint]}}
        feed: {get: "{result=paeg:$.id}/feed", depends_no: [paeg], on_error: contineu}

      """
    let right = """
      graphflow: 1
      requests:
        page: {get: me, retry: {max_attempts: 2, on: [transient]}}
        feed: {get: "{result=page:$.id}/feed", depends_on: [page], on_error: continue}

      """
    let (fixed, count) = fixed(wrong)
    #expect(fixed == right)
    #expect(count == 9)
  }

  @Test func `a file that is not YAML stays unchanged`() {
    for text in ["", "{", "\u{0}", "a: [", "- - -"] { #expect(fixed(text) == (text, 0)) }
  }
}
