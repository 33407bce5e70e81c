import GraphFlow
import JSONPath
import Testing

/// Inputs in places that require a type.
struct InputTypeTests {
  private func resolve(
    _ declaration: String, _ value: String?
  ) throws -> (value: JSON?, problems: [String]) {
    let (values, problems) = InputValues.resolving(
      try workflow("graphflow: 1\ninputs: {x: \(declaration)}\nrequests: {me: {get: me}}\n"),
      flags: value.map { [("x", $0)] } ?? [], file: nil, environment: [:])
    return (try values?[#require(InputName("x"))], problems)
  }

  @Test(arguments: [
    ("{type: string, enum: [a, b]}", "b", "c"), ("{type: integer, enum: [1, 2]}", "2", "3"),
    ("{type: number, enum: [1.5]}", "1.50", "1.6"),
    ("{type: boolean, enum: [true]}", "true", "false"),
    ("{type: list, enum: [[1], [2]]}", "[2]", "[3]"),
    ("{type: file, enum: [a.jpg]}", "a.jpg", "b.jpg"),
    ("{type: secret, enum: [one]}", "one", "two"),
  ])
  func `an enumeration works for every type`(
    _ declaration: String, _ allowed: String, _ refused: String
  ) throws {
    #expect(try resolve(declaration, allowed).problems == [])
    #expect(try resolve(declaration, refused).problems.count == 1)
  }

  @Test(arguments: ["string", "integer", "number", "boolean", "list", "file", "secret"])
  func `in the short form an input is required`(_ type: String) throws {
    let problems = try resolve(type, nil).problems
    #expect(problems.count == 1 && problems[0].hasPrefix("input 'x' is missing"))
    #expect(try resolve("{type: \(type)}", nil).problems == problems)
  }

  @Test(arguments: [
    ("{type: string, default: d}", #""d""#), ("{type: integer, default: 3}", "3"),
    ("{type: number, default: 1.50}", "1.50"), ("{type: boolean, default: false}", "false"),
    ("{type: list, default: [1, a]}", #"[1,"a"]"#),
    ("{type: file, default: a/b.jpg}", #""a/b.jpg""#),
  ])
  func `a default makes an input optional and keeps its type`(
    _ declaration: String, _ json: String
  ) throws {
    let (value, problems) = try resolve(declaration, nil)
    #expect(problems == [])
    #expect(value?.serialized() == json)
  }

  @Test(arguments: [
    ("{type: number, minimum: 1.5}", "1.5", "1.49"), ("{type: integer, maximum: 7}", "7", "8"),
    ("{type: string, min_length: 2, max_length: 3}", "äöü", "äöüß"),
    ("{type: secret, pattern: \"[a-z]+\"}", "abc", "abc1"),
    ("{type: string, pattern: \"^a$\"}", "a", "aa"), ("{type: string, pattern: a}", "a", "ba"),
    ("{type: list, items: number, min_items: 1, max_items: 2}", "[1,2.5]", "[1,2,3]"),
    ("{type: list, items: boolean}", "[true]", "[1]"),
  ])
  func `limits include their ends, and a pattern matches the whole text`(
    _ declaration: String, _ allowed: String, _ refused: String
  ) throws {
    #expect(try resolve(declaration, allowed).problems == [])
    #expect(try resolve(declaration, refused).problems.count == 1)
  }

  @Test func `an input keeps its type where any value is allowed`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {n: integer, l: list, b: boolean, s: string}
        requests:
          p: {post: p, params: {deep: ["{input=n}", "{input=l}", "{input=b}", "{input=s}"], t: "{input=l}!"}}
        outputs: {n: "{input=n}", l: "{input=l}", b: "{input=b}", s: "{input=s}"}
        """), inputs: [("n", "12345678901234567890"), ("l", "[1,[2]]"), ("b", "true"), ("s", "7")])

    let end = try run.run()

    #expect(run.sent == [#"POST p deep=[12345678901234567890,[1,[2]],true,"7"] t=[1,[2]]!"#])
    #expect(
      end.map { JSON.object($0.outputs).serialized() }
        == #"{"n":12345678901234567890,"l":[1,[2]],"b":true,"s":"7"}"#)
  }
}
