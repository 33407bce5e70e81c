import JSONPath
import Testing

@Suite struct QuerySyntaxTests {
  @Test(
    arguments: [
      ("", 0, "a query begins with '$'", "the whole value is $"),
      ("data.id", 0, "a query begins with '$'", "write $.data.id"),
      (".id", 0, "a query begins with '$'", "write $.id"),
      ("[0]", 0, "a query begins with '$'", "write $[0]"),
      (
        "@.id", 0, "a query begins with '$'", "write $; the current node '@' exists only in filters"
      ),
      (" $", 0, "a query begins with '$'", "remove the space"),
      ("$ ", 1, "unexpected space after the query", "remove the space"),
      ("$.data.0.name", 7, "expected a name or '*' after '.'", "write [0]"),
      ("$.data.12", 7, "expected a name or '*' after '.'", "write [12]"),
      ("$..0", 3, "expected a name or '*' after '..'", "write [0]"),
      ("$. a", 2, "expected a name or '*' after '.'", "remove the space"),
      ("$.'a'", 2, "expected a name or '*' after '.'", "write ['…'] without the dot"),
      ("$.", 2, "expected a name or '*' after '.'", nil),
      ("$...a", 3, "expected a name or '*' after '..'", nil),
      ("$a", 1, "expected '.' or '[' before a name", nil),
      ("$.a-b", 3, "a name with '-' needs quotes", "write ['…']"),
      ("$.a]", 3, "expected '.', '..' or '['", nil),
      ("$[a]", 2, "expected a name in quotes, an index, a slice, '*' or '?'", "write ['a']"),
      ("$[]", 2, "expected a name in quotes, an index, a slice, '*' or '?'", nil),
      ("$['a'", 1, "this '[' is never closed", nil),
      ("$['a", 2, "this string is never closed", nil),
      ("$['a' 'b']", 6, "expected ',' or ']'", nil),
      (#"$['\x']"#, 3, "no such escape", #"a backslash itself is \\"#),
      (#"$['\"']"#, 3, "no such escape", #"a backslash itself is \\"#),
      (#"$['\ud800']"#, 3, "unpaired surrogate", nil),
      (#"$['\u12']"#, 3, #"\u needs four hexadecimal digits"#, nil),
      ("$['\n']", 3, "a control character must be escaped in a string", nil),
      ("$[01]", 2, "an index must not have a leading zero or be -0", nil),
      ("$[-0]", 2, "an index must not have a leading zero or be -0", nil),
      ("$[-]", 3, "expected digits after '-'", nil),
      ("$[9007199254740992]", 2, "outside the exact integers of JSON, ±(2^53 - 1)", nil),
      ("$[1:99999999999999999999]", 4, "outside the exact integers of JSON, ±(2^53 - 1)", nil),
      ("$[?@.a = 1]", 7, "no such operator", "write =="),
      ("$[?@.a =~ 'x']", 7, "no such operator", "use match() or search()"),
      ("$[?@.a & @.b]", 7, "no such operator", "write &&"),
      ("$[?@.a | @.b]", 7, "no such operator", "write ||"),
      ("$[?@.a and @.b]", 7, "expected ',' or ']'", "write &&"),
      ("$[?@.a or @.b]", 7, "expected ',' or ']'", "write ||"),
      (
        "$[?@.a-1]", 6, "expected ',' or ']'", "there is no arithmetic; a name with '-' needs ['…']"
      ),
      ("$[?a == 1]", 3, "expected a query, a literal or a function", "write @.a or 'a'"),
      ("$[?1]", 3, "a literal must be compared", nil),
      ("$[?'a' == 'b' == 'c']", 14, "expected ',' or ']'", nil),
      ("$[?!@.a == 1]", 4, "'!' cannot precede a comparison", "write !(…)"),
      ("$[?(@.a]", 7, "expected ')'", nil),
      ("$[?(@.a", 3, "this '(' is never closed", nil),
      (
        "$[?@.* == 1]", 3, "expected a single value, but this may select several nodes",
        "count() and value() accept several nodes"
      ),
      ("$[?length(@.a)]", 3, "the result of this function must be compared", nil),
      (
        "$[?match(@.a, 'x') == true]", 3,
        "the result of this function is true or false, not a value", nil
      ),
      ("$[?count(1) == 1]", 9, "count() takes a query", nil),
      (
        "$[?length(@.*) == 1]", 10, "expected a single value, but this may select several nodes",
        "count() and value() accept several nodes"
      ),
      ("$[?length() == 1]", 3, "length() takes 1 argument, not 0", nil),
      ("$[?match(@.a) == 1]", 3, "match() takes 2 arguments, not 1", nil),
      ("$[?size(@.a) == 1]", 3, "unknown function 'size'", "write length(…)"),
      ("$[?foo(@.a) == 1]", 3, "unknown function 'foo'", "use length, count, match, search, value"),
      ("$.data.length()", 7, "a query has no methods", "write length($.data)"),
      ("$[?@.a.match('x')]", 7, "a query has no methods", "write match(@.a, 'pattern')"),
      ("$[?@.a === 1]", 7, "no such operator", "write =="),
      ("$[?@.a !== 1]", 7, "no such operator", "write !="),
      ("$[?@.a <> 1]", 7, "no such operator", "write !="),
      ("$[?@.a > = 1]", 7, "no such operator", "write >="),
      ("$[?@.a => 1]", 7, "no such operator", "write >="),
      ("$[?@.a OR @.b]", 7, "expected ',' or ']'", "write ||"),
      ("$[?@.a is null]", 7, "expected ',' or ']'", "write =="),
      ("$[?@.a contains 'b']", 7, "expected ',' or ']'", "write search(…, 'text')"),
      ("$[?not @.a]", 3, "expected a query, a literal or a function", "write !"),
      ("$[?@.a == True]", 10, "expected a query, a literal or a function", "write true"),
      ("$[?@.a == nil]", 10, "expected a query, a literal or a function", "write null"),
      ("$[?@.a + 1 == 2]", 7, "no such operator", "there is no arithmetic"),
      ("$.data.[0]", 7, "expected a name or '*' after '.'", "remove the '.' before '['"),
      (
        "$[(@.length-1)]", 2, "expected a name in quotes, an index, a slice, '*' or '?'",
        "the last is [-1], the one before [-2]"
      ),
      ("$[?@.a == 01]", 10, "not a JSON number", nil),
      ("$[?]", 3, "expected a query, a literal or a function", nil),
      ("$[?", 3, "expected an expression", nil),
      ("$[?@.a == {b}]", 10, "expected a query, a literal or a function", nil),
      ("$['é', 0x]", 8, "expected ',' or ']'", nil),
    ] as [(String, Int, String, String?)])
  func `an error is reported with its position and a hint`(
    text: String, offset: Int, message: String, hint: String?
  ) {
    let error = #expect(throws: Query.SyntaxError.self) { try Query(text) }

    #expect(error == Query.SyntaxError(offset: offset, message: message, hint: hint))
  }

  @Test func `an error reads as one line`() {
    let error = #expect(throws: Query.SyntaxError.self) { try Query("$.data.0") }

    #expect(error?.description == "at 7: expected a name or '*' after '.' (write [0])")
  }

  @Test(arguments: [
    String(repeating: "(", count: 60_000), "$[?" + String(repeating: "(", count: 60_000),
    "$" + String(repeating: "[?@", count: 20_000),
    "$[?" + String(repeating: "length(", count: 9_000),
    "$[?" + String(repeating: "!(", count: 30_000),
  ])
  func `deep nesting is rejected`(text: String) {
    #expect(throws: Query.SyntaxError.self) { try Query(text) }
    #expect(throws: Query.SyntaxError.self) { try LogicalExpression(text) }
  }

  @Test func `nesting is possible up to its limit`() throws {
    let depth = 63
    let text = String(repeating: "(", count: depth) + "@.a" + String(repeating: ")", count: depth)
    let filters = String(repeating: "[?@", count: 64) + String(repeating: "]", count: 64)

    #expect(try Query("$[?\(text)]").values(in: [["a": 1]]) == [["a": 1]])
    #expect(try Query("$\(filters)").values(in: [1]) == [])
    #expect(throws: Query.SyntaxError.self) { try Query("$[?(\(text))]") }
  }

  @Test func `a text that is too long is rejected`() throws {
    let longest = "$" + String(repeating: ".a", count: 32_767) + " "

    #expect(throws: Query.SyntaxError.self) { try Query(longest + "  ") }
    #expect(try Query(String(longest.dropLast())).segments.count == 32_767)
    #expect(throws: Query.SyntaxError.self) { try LogicalExpression(longest + longest) }
  }

  @Test(arguments: [
    ("$", true), ("$.a['b'][0][-1]", true), ("$[0, 1]", false), ("$.*", false), ("$..a", false),
    ("$[0:1]", false), ("$[?@]", false),
  ])
  func `a query that selects at most one node is singular`(text: String, isSingular: Bool) throws {
    #expect(try Query(text).isSingular == isSingular)
  }

  @Test func `the segments are accessible`() throws {
    let query = try Query(#"$.a["b",*][-1]..[1:2,::-3][?@.x]"#)

    #expect(
      "\(query.segments)".replacingModuleNames == """
        [child([name("a")]), child([name("b"), wildcard]), child([index(-1)]), \
        descendant([slice(start: Optional(1), end: Optional(2), step: 1), \
        slice(start: nil, end: nil, step: -3)]), child([filter(@.x)])]
        """)
  }

  @Test func `queries are equal if their texts are`() throws {
    #expect(try Query("$.a") == Query("$.a"))
    #expect(try Query("$.a") != Query("$['a']"))
    #expect(try Query("$['\u{e9}']") != Query("$['e\u{301}']"))
    #expect(try Set([Query("$.a"), Query("$.a")]).count == 1)
    #expect(try Query("$..a").description == "$..a")
  }

  @Test(arguments: ComplianceCase.all.filter { !$0.isInvalid })
  func `no damage to a query makes the parser trap`(example: ComplianceCase) {
    let scalars = Array(example.selector.unicodeScalars)
    for position in scalars.indices {
      for scalar in ["$", "[", "(", "'", "\\", "0", "-", ".", "?", "\0", "é"] as [Unicode.Scalar?]
        + [nil]
      {
        var damaged = scalars
        if let scalar { damaged[position] = scalar } else { damaged.remove(at: position) }
        let text = String(String.UnicodeScalarView(damaged))
        if let query = try? Query(text) { #expect(query.text == text) }
      }
    }
  }
}

extension String {
  /// Printed cases without the module and type before their names.
  fileprivate var replacingModuleNames: String {
    ["JSONPath.", "Segment.", "Selector."].reduce(self) { text, name in
      text.split(separator: name, omittingEmptySubsequences: false).joined()
    }
  }
}
