import JSONPath
import Testing

/// The examples of the library's documentation; `CatalogueTests` holds that they are the same.
@Suite struct ExampleTests {
  @Test func `a query selects values`() throws {
    let answer = try JSON(parsing: #"{"data": [{"id": "1", "likes": 7}, {"id": "2", "likes": 0}]}"#)
    let popular = try Query("$.data[?@.likes > 5].id")
    let ids = try popular.values(in: answer)

    #expect(ids == ["1"])
  }

  @Test func `a node has a location`() throws {
    let answer = try JSON(parsing: #"{"data": [{"id": "1"}, {"id": "2"}]}"#)
    for node in try Query("$..id").nodes(in: answer) { print(node.location, node.value) }

    let nodes = try Query("$..id").nodes(in: answer)
    #expect(nodes.map(\.location.description) == ["$['data'][0]['id']", "$['data'][1]['id']"])
  }

  @Test func `a query that is too expensive stops`() throws {
    let answer = try JSON(parsing: #"{"data": [{"id": "1"}, {"id": "2"}]}"#)
    do {
      _ = try Query("$..*").values(in: answer, limit: StepLimit(steps: 3))
    } catch {
      print(error)
    }

    #expect(throws: QueryLimitExceeded.self) {
      try Query("$..*").values(in: answer, limit: StepLimit(steps: 3))
    }
  }

  @Test func `a mistake has a place`() throws {
    do {
      _ = try Query("$.data[")
    } catch {
      print(error.offset, error.message)
    }

    #expect(throws: Query.SyntaxError.self) { try Query("$.data[") }
  }

  @Test func `a JSON value is written and read`() throws {
    let post: JSON = ["message": "Hello", "published": true, "tags": [1, 2]]
    let text = post.serialized()
    let tags = post["tags"]?.array?.compactMap(\.integer)

    #expect(text == #"{"message":"Hello","published":true,"tags":[1,2]}"#)
    #expect(tags == [1, 2])
  }

  @Test func `numbers keep their digits`() throws {
    let id = try JSON(parsing: "12345678901234567890.10")
    let lexeme = id.number?.lexeme

    #expect(lexeme == "12345678901234567890.10")
  }

  @Test func `a regular expression matches a whole text`() throws {
    let year = try IRegexp("(19|20)[0-9]{2}")
    let isYear = year.matches("2026")
    let holdsYear = year.isFound(in: "January 2026")

    #expect(isYear && holdsYear)
    #expect(!year.matches("January 2026"))
  }
}
