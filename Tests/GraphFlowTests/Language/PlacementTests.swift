import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Whether Graph resolves a reference inside a batch, or the tool in a later call.
struct PlacementTests {
  static let queries: [(query: String, isLeft: Bool)] = [
    ("$.id", true), ("$['id']", true), ("$[\"id\"]", true), ("$.data[0].id", true),
    ("$.data[*].id", true),
    ("$.data.*.id", true), ("$[*]", true), ("$.a.b.c[3][*]['d']", true), ("$[0]", true),
    ("$", false), ("$.data[-1]", false), ("$.data[0:2]", false), ("$.data[::2].id", false),
    ("$..id", false),
    ("$.data[?@.id].id", false), ("$.data[0,1].id", false), ("$['a','b']", false),
    ("$['a b']", false),
    ("$['a.b']", false), ("$['a}b']", false), ("$.é", false),
  ]

  @Test(arguments: queries)
  func `a query is left to Graph only if both dialects read it alike`(
    _ query: String, _ isLeft: Bool
  ) throws {
    let text = query.replacing("'", with: "''")
    let plan = Plan(
      for: try workflow(requests: [
        "a: {get: me/feed}", "b: {get: x, params: {v: '{result=a:\(text)}'}}",
      ]))

    #expect(plan.calls.count == (isLeft ? 1 : 2))
    #expect(plan.calls.last?.operations.last?.inBatchReferences == (isLeft ? [0] : []))
  }

  static let places: [(referred: String, referring: String, isLeft: Bool)] = [
    ("get: x", "get: \"{result=a:$.name}\"", true),
    ("get: x", "get: \"{result=a:$.name}/feed\"", true),
    ("get: x", "get: \"?ids={result=a:$.name}\"", true),
    ("get: x", "get: b, params: {v: \"{result=a:$.name}\"}", true),
    ("get: x", "get: b, params: {v: \"x{result=a:$.name}y\"}", true),
    ("get: x", "delete: b, params: {v: \"{result=a:$.name}\"}", true),
    ("get: x", "delete: \"{result=a:$.name}\"", true),
    ("get: x", "delete: \"{result=a:$.name}/likes\"", false),
    ("post: x", "delete: \"{result=a:$.id}/likes\"", true),
    ("post: x", "post: b, params: {v: \"{result=a:$.id}\"}", true),
    ("post: x", "post: b, params: {v: \"x{result=a:$.id}y\"}", true),
    ("post: x", "post: \"{result=a:$.id}/comments\"", true),
    ("get: x", "post: \"{result=a:$.id}/comments\"", false),
    ("get: x", "post: b, params: {v: \"{result=a:$.id}\"}", false),
    ("post: x", "post: b, params: {v: \"{result=a:$.post_id}\"}", false),
    ("post: x", "post: b, params: {v: [\"{result=a:$.id}\"]}", false),
    ("post: x", "get: b, params: {v: {k: \"{result=a:$.id}\"}}", false),
    ("get: x", "get: b, headers: {X-A: \"{result=a:$.id}\"}", false),
    ("post: x", "post: b, files: {source: \"{result=a:$.id}\"}", false),
    ("get: x", "get: b, when: \"{result=a:$.id} == 1\"", false),
    ("get: x", "get: b, token: \"{result=a:$.id}\"", false),
    ("get: x", "get: \"{result=a:$.id | 4}\"", false),
    ("get: x, expect: [$.id]", "get: \"{result=a:$.id}\"", false),
    ("get: x, paginate: true", "get: \"{result=a:$.data[0].id}\"", false),
    ("get: x, until: {check: $.id}", "get: \"{result=a:$.id}\"", false),
    ("get: x, batch: alone", "get: \"{result=a:$.id}\"", false),
    ("get: x", "get: \"{result=a:$.id}\", on_dependency_failure: run", false),
    ("get: x", "get: b, expect: [\"$.id == {result=a:$.id}\"]", true),
  ]

  @Test(arguments: places)
  func `a reference is left to Graph only if the result is certain to be the same`(
    _ referred: String, _ referring: String, _ isLeft: Bool
  ) throws {
    let plan = Plan(for: try workflow(requests: ["a: {\(referred)}", "b: {\(referring)}"]))

    #expect(plan.calls.count == (isLeft ? 1 : 2))
  }

  @Test func `one call or two give the same result`() throws {
    func outcomes(_ width: Int, _ requests: [String]) throws -> [String: RequestEnd] {
      var run = try Simulation(
        workflow(requests: requests), options: RunOptions(limits: BatchLimits(width: width)))
      _ = try run.run()
      return run.outcomes
    }
    let requests = [
      "a: {post: me/feed, params: {message: hi}}", "b: {get: \"{result=a:$.id}\"}",
      "c: {post: me/feed, params: {message: \"{result=a:$.id}\"}}",
      "d: {get: x, params: {v: \"{result=b:$.message}\"}}", "e: {get: \"{result=b:$.nothing}/x\"}",
      "g: {delete: \"{result=c:$.id}\"}",
    ]

    let together = try outcomes(50, requests)
    #expect(together["e"]?.failure?.reason == .unresolvedReference)
    for width in [1, 2] {
      for (name, end) in try outcomes(width, requests) {
        #expect(end.status == together[name]?.status, "\(name) in batches of \(width)")
        #expect(end.failure == together[name]?.failure, "\(name) in batches of \(width)")
        guard end.status == .succeeded else { continue }
        #expect(end == together[name], "\(name) in batches of \(width)")
      }
    }
  }

  @Test func `the other explicit dependencies are in earlier batches`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "a: {get: a}", "b: {get: b}", "c: {get: c, depends_on: [a, b]}",
        "d: {get: d, depends_on: [c]}",
        "e: {get: e, depends_on: [d, c]}",
      ]))

    #expect(plan.calls.map { $0.operations.map(\.request) } == [[0, 1], [2, 3, 4]])
    #expect(plan.calls[1].operations.map(\.dependsOn) == [nil, 2, 3])
  }

  @Test func `a batch holds fifty operations and no more`() throws {
    for (count, sizes) in [(50, [50]), (51, [50, 1]), (101, [50, 50, 1])] {
      var run = try Simulation(workflow(requests: (1...count).map { "r\($0): {get: me}" }))
      _ = try run.run()
      #expect(run.calls.map(\.operations.count) == sizes)
    }
    #expect(BatchLimits(width: 51).width == 50)
  }
}
