import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The table of required permissions.
struct EdgePermissionsTests {
  @Test func `every row is documented and names permissions that are not retired`() {
    #expect(EdgePermissions.all.count >= 16)
    for row in EdgePermissions.all {
      #expect(row.source?.isEmpty != true, "\(row)")
      #expect(!row.anyOf.isEmpty && row.anyOf.allSatisfy { !$0.isEmpty }, "\(row)")
      for name in row.anyOf.joined() { #expect(RetiredNames.permission(name) == nil, "\(name)") }
    }
  }

  @Test(arguments: [
    ("id,name", ["id", "name"]), (" id , name ", ["name"]), ("posts.limit(5){message,id},a", ["a"]),
    ("likes.summary(true)", ["likes"]), ("tasks.as(todo)", ["todo", "tasks"]),
    ("a{b{c},d},e", ["e"]),
  ])
  func `fields are parsed as field expansion`(_ text: String, _ names: [String]) throws {
    let fields = try #require(RequestedFields(text))
    for name in names { #expect(try fields.unrequested(by: .init("$.\(name)")) == nil) }
    #expect(try fields.unrequested(by: .init("$.nothing")) == "nothing")
    #expect(try fields.unrequested(by: .init("$.data[0].nothing")) == "nothing")
    #expect(try fields.unrequested(by: .init("$.data.nothing")) == nil)
    #expect(try fields.unrequested(by: .init("$[0].nothing"), skipping: 1) == "nothing")
  }

  @Test(arguments: ["", ",", "*", "a,,b", "{a}", "a b", "é", "a]"])
  func `a value that is not clearly a list of fields is ignored`(_ text: String) {
    #expect(RequestedFields(text) == nil)
  }
}
