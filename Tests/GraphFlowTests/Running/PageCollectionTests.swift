import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The pages of an edge, one after the other.
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
      guard pages.add(page(count, next: count < 9_999 ? count + 1 : nil)) else { break }
      count += 1
    } while pages.hasMore
    #expect(count == 10_000 && !pages.hasRepeated)
    #expect(pages.body["data"]?.array?.count == 10_000)
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 1), (900, 17)])
  func `a cycle ends them where it closes`(_ length: Int, _ start: Int) {
    var pages = PageCollection(Workflow.Pagination())
    var number = 0
    var count = 0
    repeat {
      let next = number == start + length - 1 ? start : number + 1
      guard pages.add(page(number, next: next)) else { break }
      number = next
      count += 1
    } while pages.hasMore && count < 20_000

    #expect(pages.hasRepeated && count == start + length)
  }

  @Test func `limits are no repetition`() {
    var pages = PageCollection(Workflow.Pagination(maxPages: 3))
    for number in 0..<3 { _ = pages.add(page(number, next: number + 1)) }

    #expect(!pages.hasMore && !pages.hasRepeated)
  }
}
