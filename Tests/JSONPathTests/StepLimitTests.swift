import JSONPath
import Testing

@Suite struct StepLimitTests {
  /// An array of small objects.
  private func objects(_ count: Int) -> JSON {
    .array((0..<count).map { ["id": .number(JSON.Number($0)), "list": [1, 2, 3]] })
  }

  @Test func `a plain query over much data stays far below the standard limit`() throws {
    let value = objects(20_000)
    let limit = StepLimit(steps: StepLimit.standard.steps / 10)

    #expect(try Query("$[?@.id >= 10000].id").values(in: value, limit: limit).count == 10_000)
    #expect(try Query("$..id").values(in: value, limit: limit).count == 20_000)
  }

  @Test(arguments: [
    "$..[*,*]..[*,*]..[*,*]", "$[*,*,*,*][*,*,*,*][*,*,*,*]", "$[?$..id]",
    "$[?count($..*) > count($..list)]", "$[?$ == $]", "$[?@..[?$..*]]",
    "$[?search('\(String(repeating: "a", count: 5_000))', '(a|b)*c')]",
    "$[?match('a', '((a{99}){99}){99}')]",
  ])
  func `a query that multiplies work ends with an error`(text: String) throws {
    let value = objects(1_000)
    let limit = StepLimit(steps: 100_000)
    let document = try JSON.Document(parsing: Array(value.serialized().utf8))
    let query = try Query(text)

    let error = #expect(throws: QueryLimitExceeded.self) {
      try query.values(in: value, limit: limit)
    }
    #expect(throws: QueryLimitExceeded.self) { try query.nodes(in: document, limit: limit) }

    #expect(error?.limit == limit)
    #expect(error?.description == "the query needs more than 100000 steps")
  }

  @Test(arguments: [0, -1, .min])
  func `without steps nothing is evaluated`(steps: Int) throws {
    let query = try Query("$.a")

    #expect(throws: QueryLimitExceeded.self) {
      try query.values(in: ["a": 1], limit: StepLimit(steps: steps))
    }
  }

  @Test func `reading many values from a document spends steps too`() throws {
    let nested =
      String(repeating: "[", count: 500) + "\"" + String(repeating: "x", count: 1_000_000)
      + "\"" + String(repeating: "]", count: 500)
    let document = try JSON.Document(parsing: Array(nested.utf8))

    #expect(throws: QueryLimitExceeded.self) {
      try Query("$..*").values(in: document, limit: StepLimit(steps: 1_000_000))
    }
  }
}
