import GraphAPI
import JSONPath
import TestSupport
import Testing

/// The batch answers that RestFB's authors recorded from Graph v2.3.
@Suite(
  .enabled(
    if: SharedFiles.path("fixtures/restfb/batch-simple.json") != nil,
    "the shared fixtures are absent"))
struct RestFBTests {
  @Test func `a simple batch has two items with headers`() throws {
    let items = try responses("batch-simple.json")

    #expect(items.map(\.code) == [200, 200])
    #expect(items.allSatisfy { $0.error == nil })
    #expect(try items[0].body.json() == ["id": "123456789", "name": "Tester"])
    #expect(try items[1].body.json() == ["id": "4", "name": "Mark Zuckerberg"])
    #expect(items[0].headers.count == 9)
    #expect(items[0].headers["etag"] == "\"bbf9cb99fcd98ba6c16300aa5c925306d0ab8636\"")
    #expect(items[1].headers["FACEBOOK-API-VERSION"] == "v2.3")
    #expect(items[1].headers["content-type"] == "text/javascript; charset=UTF-8")
  }

  @Test(arguments: [
    ("batch-first-error.json", 0, "AjPj2sQoTXX"), ("batch-second-error.json", 1, "D9Vg2GLd0DB"),
  ])
  func `an item's failure leaves the other one alone`(
    _ file: String, _ failed: Int, _ trace: String
  ) throws {
    let items = try responses(file)

    let error = try #require(items[failed].error)
    #expect(items[failed].code == 400)
    #expect(error.code == 100)
    #expect(error.subcode == nil)
    #expect(error.type == "GraphMethodException")
    #expect(error.fbtraceID == trace)
    #expect(error.message.hasPrefix("Unsupported get request. Object with ID '2' does not exist"))
    #expect(error.message.hasSuffix("https://developers.facebook.com/docs/graph-api"))
    #expect(items[failed].headers["www-authenticate"]?.contains("\"invalid_request\"") == true)
    #expect(items[1 - failed].code == 200)
    #expect(items[1 - failed].error == nil)
  }

  @Test(arguments: ["batch-simple.json", "batch-first-error.json", "batch-second-error.json"])
  func `usage is read from each item`(_ file: String) throws {
    for item in try responses(file) where item.headers["X-App-Usage"] != nil {
      let usage = Usage(headers: item.headers)
      #expect(usage.json == ["app": ["call_count": 2, "total_time": 2, "total_cputime": 2]])
      #expect(usage.appPercentage == 2)
    }
  }

  private func responses(_ file: String) throws -> [OperationResponse] {
    let path = try #require(SharedFiles.path("fixtures/restfb/\(file)"))
    let token = try #require(AccessToken("token"))
    let operations = ["me", "4"].map { BatchOperation(method: .get, path: $0) }
    let request = try #require(
      BatchRequest(operations: operations, accessToken: token, version: .current))
    let answer = request.answer(from: WireResponse(status: 200, body: try contents(of: path)))
    guard case .items(let items) = answer else {
      Issue.record("no items: \(answer)")
      return []
    }
    return items.compactMap { item in
      guard case .response(let response) = item else { return nil }
      return response
    }
  }
}
