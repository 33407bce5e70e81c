import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

@Suite
struct FailureGroupsTests {
  private let facts = ["post", "read"].map {
    RequestFacts(
      name: $0, method: .get, path: "me", line: 1, dependsOn: [], isRepeated: true)
  }

  private func failed(
    _ message: String, code: Int? = 100, request: Int = 0, item: Int, key: String? = nil,
    _ status: RequestStatus = .failed, reason: FailureReason = .parameter, path: String? = "1",
    expecting expectations: [ExpectationResult] = []
  ) -> Report.Request {
    var result = Report.Request(
      index: request, allFacts: facts, item: ItemID(index: item, key: key ?? "\(item)"))
    result.end = RequestEnd(
      request: request, item: result.item, status: status, code: 400, body: [1, 2],
      isTainted: false,
      failure: Failure(
        error: GraphError(message: message, code: code, fbtraceID: "T\(item)"), category: .other,
        reason: reason, hint: "fix it"),
      skipReason: nil, skipDetail: nil, expectations: expectations, resolvedPath: path)
    return result
  }

  private func groups(of requests: [Report.Request]) -> [FailureGroups.Group] {
    var groups = FailureGroups()
    for request in requests { groups.add(request) }
    return groups.groups
  }

  @Test func `equal failures are one group with the first three and the last`() throws {
    let groups = groups(of: (0..<1000).reversed().map { failed("Invalid parameter", item: $0) })
    #expect(groups.count == 1)
    let group = try #require(groups.first)
    #expect(group.count == 1000)
    #expect(group.examples.map(\.displayName) == ["post[0]", "post[1]", "post[2]"])
    #expect(group.lastName == "post[999]")
    #expect(group.failure?.error.fbtraceID == "T0")
    #expect(group.examples.allSatisfy { $0.end?.body == nil })
  }

  @Test(arguments: [
    ("(#803) nope: sku-1", "(#803) nope: sku-2"), ("Object '12_3' is gone", "Object '44' is gone"),
    ("it's at \"a\"", "it's at \"b, c\""), ("retry in 5.25 s", "retry in 10 s"),
  ])
  func `ids, numbers, quotations and keys make no difference`(first: String, second: String) {
    let both = [
      failed(first, item: 0, key: "sku-1"), failed(second, item: 1, key: "sku-2"),
    ]
    #expect(groups(of: both).map(\.count) == [2])
  }

  @Test func `a key is replaced only where it is a word`() {
    var shape = MessageShape(besides: "a")
    shape.add("a man, a plan: (a) don't")
    #expect(shape.text == "\n… man, … plan: (…) don't")
  }

  @Test func `codes, requests, statuses and failed expectations make groups, the urgent first`() {
    let check = ExpectationResult(check: "$.a", passed: false, message: nil, actual: nil)
    let groups = groups(of: [
      failed("x", item: 0), failed("y", item: 1), failed("x", code: 4, item: 2),
      failed("x", request: 1, item: 0), failed("x", item: 3, .cancelled),
      failed("x", item: 4, expecting: [check]), failed("x", request: 1, item: 5, .inDoubt),
      failed("x", item: 6),
    ])
    #expect(
      groups.map(\.first.displayName) == [
        "read[5]", "post[0]", "post[1]", "post[2]", "post[4]", "read[0]", "post[3]",
      ])
    #expect(groups.map(\.count) == [1, 2, 1, 1, 1, 1, 1])
  }

  @Test func `what was not sent is one group whatever its name`() throws {
    let groups = groups(of: [
      failed("the budget is used up", item: 7, .cancelled, reason: .cancelled, path: nil),
      failed(
        "the budget is used up", request: 1, item: 7, .cancelled, reason: .cancelled, path: nil),
    ])
    let group = try #require(groups.first)
    #expect(groups.count == 1)
    #expect(group.requestName == nil)
    #expect(group.lastName == "read[7]")
  }

  @Test func `after three hundred groups further ones are counted for each status`() {
    let names = (0..<1000).map { number in
      String(String(number).map { Character(UnicodeScalar($0.asciiValue! + 49)) })
    }
    let requests = names.enumerated().map { index, name in
      failed(name, item: index, index % 2 == 0 ? .failed : .cancelled)
    }
    let groups = groups(of: requests)
    #expect(groups.count == FailureGroups.groupLimit + 2)
    #expect(groups.filter(\.isRest).map(\.count) == [350, 350])
    #expect(groups.reduce(0) { $0 + $1.count } == 1000)
  }
}
