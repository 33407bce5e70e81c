import Testing

@testable import GraphFlow

struct NearestNameTests {
  @Test(arguments: [
    ("status-pots", "status-post"), ("depend_on", "depends_on"), ("parms", "params"),
    ("GET", "get"), ("page-id", "page_id"), ("tset", "test"),
  ])
  func `a typo is recognised`(_ written: String, _ meant: String) {
    let names = ["status-post", "depends_on", "params", "get", "page_id", "test", "zzz"]
    #expect(NearestName.to(written, among: names) == meant)
  }

  @Test(arguments: ["", "colour", "ab", String(repeating: "x", count: 100)])
  func `a name that is near no other gets no suggestion`(_ written: String) {
    #expect(NearestName.to(written, among: ["params", "get", "depends_on"]) == nil)
  }

  @Test(arguments: ["a", "status-post", "GET"])
  func `no name is near itself, and one letter is near no other`(_ written: String) {
    #expect(NearestName.to(written, among: [written, "b"]) == nil)
  }

  @Test(arguments: [
    ("pages_manage_post", "pages_manage_posts"), ("page_manage_posts", "pages_manage_posts"),
    ("emial", "email"), ("Pages_Show_List", "pages_show_list"),
  ])
  func `a misspelt permission is recognised`(_ written: String, _ meant: String) {
    #expect(KnownPermissions.nearest(to: written) == meant)
  }

  @Test(arguments: ["pages_manage_dreams", "user_mood", "threads_like", "ads", "email"])
  func `a permission that may be new is accepted`(_ name: String) {
    #expect(KnownPermissions.nearest(to: name) == nil)
  }

  @Test func `no known permission is a typo of another`() {
    for name in KnownPermissions.all {
      #expect(NearestName.to(name, among: KnownPermissions.all.sorted()) != name)
      #expect(RetiredNames.permission(name) == nil, "\(name)")
    }
  }

  @Test func `the first of equally near names is suggested`() {
    #expect(NearestName.to("cat", among: ["bat", "hat"]) == "bat")
  }
}
