import JSONPath
import Testing

@testable import GraphSandbox

struct PagingTests {
  /// Follows `paging` from a first address; returns each page's ids.
  private func pages(
    from target: String, by direction: String, in sandbox: inout InProcessSandbox
  ) throws -> [[String]] {
    var pages: [[String]] = []
    var next: String? = target
    while let address = next {
      let answer = sandbox.send(HTTPCall(method: "GET", target: address))
      #expect(answer.status == 200)
      pages.append((answer.json["data"]?.array ?? []).compactMap { $0["id"]?.string })
      next = answer.json["paging"]?[direction]?.string.map {
        String($0.dropFirst(sandbox.world.origin.count))
      }
      try #require(pages.count < 100)
    }
    return pages
  }

  @Test(arguments: [(1, 60), (7, 9), (25, 3), (59, 2), (60, 1), (100, 1)])
  func `next visits every post once, newest first`(limit: Int, count: Int) throws {
    var sandbox = try InProcessSandbox()
    let start = "/\(sandbox.page)/feed?limit=\(limit)&access_token=\(sandbox.token)"

    let found = try pages(from: start, by: "next", in: &sandbox)

    let ids = found.flatMap(\.self)
    #expect(found.count == count)
    #expect(ids.count == 60)
    #expect(Set(ids).count == 60)
    #expect(ids == ids.sorted(by: >))
  }

  @Test func `previous leads back to the first page`() throws {
    var sandbox = try InProcessSandbox()
    let start = "/me/friends?limit=5&access_token=\(sandbox.token)"
    let forth = try pages(from: start, by: "next", in: &sandbox)
    let first = sandbox.send(HTTPCall(method: "GET", target: start))
    let after = try #require(first.json["paging"]?["cursors"]?["after"]?.string)
    let second = sandbox.send("GET", "me/friends?limit=5&after=\(after)")
    let third = try #require(second.json["paging"]?["cursors"]?["after"]?.string)

    let back = try pages(
      from: "/me/friends?limit=5&after=\(third)&access_token=\(sandbox.token)", by: "previous",
      in: &sandbox)

    #expect(forth.map(\.count) == [5, 5, 2])
    #expect(back == forth.reversed())
    #expect(first.json["paging"]?["previous"] == nil)
  }

  @Test func `the links hold the token, the version, the id and the parameters`() throws {
    var sandbox = try InProcessSandbox()
    sandbox.world.origin = "http://127.0.0.1:8080"

    let answer = sandbox.send("GET", "v24.0/me/friends?limit=2&fields=name&after=")

    let cursor = try #require(answer.json["paging"]?["cursors"]?["after"]?.string)
    #expect(
      answer.json["paging"]?["next"]
        == .string(
          "http://127.0.0.1:8080/v24.0/122000000000002/friends?access_token=\(sandbox.token)"
            + "&limit=2&fields=name&after=\(cursor)"))
  }

  @Test func `cursors survive the deletion of what they point to`() throws {
    var sandbox = try InProcessSandbox()
    let first = sandbox.send("GET", "me/feed?limit=2", token: sandbox.pageToken)
    let after = try #require(first.json["paging"]?["cursors"]?["after"]?.string)
    let last = try #require(first.json["data"]?[1]?["id"]?.string)

    _ = sandbox.send("DELETE", last, token: sandbox.pageToken)
    let second = sandbox.send(
      "GET", "me/feed?limit=1&fields=message&after=\(after)", token: sandbox.pageToken)

    #expect(second.json["data"]?[0]?["message"] == "Harbour Bakery: news 58")
  }

  @Test func `an empty edge has no paging and a limit of zero still has a summary`() throws {
    var sandbox = try InProcessSandbox()

    let empty = sandbox.send("GET", "me/albums")
    let none = sandbox.send("GET", "me/friends?limit=0")

    #expect(empty.text == #"{"data":[]}"#)
    #expect(none.text == #"{"data":[],"summary":{"total_count":12}}"#)
  }
}
