import Testing

@testable import GraphFlow

struct NearestNameTests {
  @Test(arguments: [
    ("status-pots", "status-post"), ("depend_on", "depends_on"), ("parms", "params"),
    ("GET", "get"), ("page-id", "page_id"), ("tset", "test"),
  ])
  func `a slip of the pen is recognised`(_ written: String, _ meant: String) {
    let names = ["status-post", "depends_on", "params", "get", "page_id", "test", "zzz"]
    #expect(NearestName.to(written, among: names) == meant)
  }

  @Test(arguments: ["", "colour", "ab", String(repeating: "x", count: 100)])
  func `what is near nothing gets no suggestion`(_ written: String) {
    #expect(NearestName.to(written, among: ["params", "get", "depends_on"]) == nil)
  }

  @Test func `of equally near names the first counts`() {
    #expect(NearestName.to("cat", among: ["bat", "hat"]) == "bat")
  }
}
