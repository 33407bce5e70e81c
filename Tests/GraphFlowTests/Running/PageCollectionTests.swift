import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Following the pages of an edge.
struct PageCollectionTests {
  private func page(_ number: Int, next: Int?) -> JSON {
    guard let next else { return ["data": [.number(JSON.Number(number))]] }
    let link = "https://graph.facebook.com/v25.0/me/feed?limit=1&after=\(next)"
    return ["data": [.number(JSON.Number(number))], "paging": ["next": .string(link)]]
  }

  @Test func `ten thousand pages are collected, without a note`() {
    var pages = PageCollection(Workflow.Pagination())
    var count = 0
    repeat {
      guard pages.add(page(count, next: count < 9_999 ? count + 1 : nil)) == .page else { break }
      count += 1
    } while pages.hasMore
    #expect(count == 10_000 && !pages.hasRepeated)
    #expect(pages.body["data"]?.array?.count == 10_000)
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 1), (900, 17)])
  func `a cycle of links ends the pages`(_ length: Int, _ start: Int) {
    var pages = PageCollection(Workflow.Pagination())
    var number = 0
    var count = 0
    repeat {
      let next = number == start + length - 1 ? start : number + 1
      guard pages.add(page(number, next: next)) == .page else { break }
      number = next
      count += 1
    } while pages.hasMore && count < 20_000

    #expect(pages.hasRepeated && count == start + length)
  }

  @Test func `limits are not a repetition`() {
    var pages = PageCollection(Workflow.Pagination(maxPages: 3))
    for number in 0..<3 { _ = pages.add(page(number, next: number + 1)) }

    #expect(!pages.hasMore && !pages.hasRepeated)
  }

  /// Values of `next` that cannot be followed.
  static let brokenLinks: [JSON] = [
    7, true, [:], [], "", " ", "next", "/v25.0/me/feed?after=1", "me/feed?after=1", "?after=1",
    "https://", "https://?after=1", "https:///me/feed?after=1", "ftp://x/feed?after=1",
    "https://graph.facebook.com/v25.0/me/feed", "https://graph.facebook.com/v25.0/me/feed?",
    "https://graph.facebook.com/v25.0/me/feed?access_token=EAAx", "https://x/feed#?after=1",
    "https://x/feed?after", ["https://x/feed?after=1"],
  ]

  @Test(arguments: brokenLinks)
  func `a link that cannot be followed is not the end`(_ link: JSON) {
    var pages = PageCollection(Workflow.Pagination())
    #expect(pages.add(["data": [1], "paging": ["next": link]]) == .brokenLink)
    #expect(!pages.hasMore)
    // No page is requested after it.
    var one = PageCollection(Workflow.Pagination(maxPages: 1))
    #expect(one.add(["data": [1], "paging": ["next": link]]) == .page && !one.hasMore)
  }

  @Test(
    arguments: [
      [:], ["paging": [:]], ["paging": ["next": .null]], ["paging": .null], ["paging": []],
      ["paging": ["cursors": ["after": "x"]]],
    ] as [JSON])
  func `a page without a link is the last`(_ members: JSON) throws {
    var body = try #require(members.object)
    body["data"] = [1]
    var pages = PageCollection(Workflow.Pagination())
    #expect(pages.add(.object(body)) == .page && !pages.hasMore && !pages.hasRepeated)
  }

  @Test(arguments: ["HTTPS://x/feed?after=1", "http://127.0.0.1:1/f?after=1", "https://x?after=1"])
  func `a link is followed whatever host it names`(_ link: String) {
    var pages = PageCollection(Workflow.Pagination())
    #expect(pages.add(["data": [], "paging": ["next": .string(link)]]) == .page && pages.hasMore)
  }
}
