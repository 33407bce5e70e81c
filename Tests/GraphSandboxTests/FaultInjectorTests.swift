import Testing

@testable import GraphSandbox

/// When faults happen.
struct FaultInjectorTests {
  private static func subject(
    _ method: String = "GET", _ path: [String] = ["me"], name: String? = nil, index: Int? = 0
  ) -> FaultSubject {
    FaultSubject(method: method, path: path, name: name, index: index, token: "t")
  }

  private static let error = OperationFault.error(InjectedError(code: 2), .notApplied)

  /// The numbers of the operations, of `count` equal ones, at which a fault happens.
  private static func hits(
    _ occasion: FaultCondition.Occasion, of count: Int, seed: UInt64 = 1
  ) -> [Int] {
    var injector = FaultInjector(
      FaultPlan([FaultRule(.operation(error), when: FaultCondition(occasion: occasion))]),
      seed: seed)
    return (1...count).filter { number in
      _ = injector.startCall([subject()], at: number)
      return injector.effect(for: subject()) != nil
    }
  }

  @Test(arguments: [
    (FaultCondition.Occasion.always, [1, 2, 3, 4, 5, 6]), (.nth(2), [2]), (.nth(9), []),
    (.everyNth(3), [3, 6]), (.first(2), [1, 2]), (.chance(0), []),
    (.chance(1), [1, 2, 3, 4, 5, 6]), (.everyNth(0), []),
  ])
  func `an occasion selects matches`(_ occasion: FaultCondition.Occasion, _ expected: [Int]) {
    #expect(Self.hits(occasion, of: 6) == expected)
  }

  @Test func `random faults repeat with the seed, and have about their probability`() {
    let hits = Self.hits(.chance(0.25), of: 10_000)
    #expect(hits == Self.hits(.chance(0.25), of: 10_000))
    #expect(hits != Self.hits(.chance(0.25), of: 10_000, seed: 2))
    #expect((2_300...2_700).contains(hits.count))
  }

  @Test(arguments: [
    ("me/feed", ["me", "feed"], true), ("/me/feed", ["me", "feed"], true),
    ("*/feed", ["123", "feed"], true), ("*/feed", ["feed"], false), ("*", [], false),
    ("**", [], true), ("**", ["a", "b", "c"], true), ("**/feed", ["feed"], true),
    ("**/feed", ["a", "b", "feed"], true), ("me/**", ["me"], true), ("me/**", ["you"], false),
    ("**/a/**/b", ["x", "a", "a", "b"], true), ("me", ["me", "feed"], false),
    ("ME", ["me"], false),
  ])
  func `a pattern matches the segments of a path`(
    _ pattern: String, _ path: [String], _ expected: Bool
  ) throws { #expect(try #require(PathPattern(pattern)).matches(path) == expected) }

  @Test(arguments: ["", "/", "a//b", "a/", "//a", "me?fields=id"])
  func `an invalid pattern is refused`(_ text: String) { #expect(PathPattern(text) == nil) }

  @Test func `a pattern of many stars is fast`() throws {
    let text = Array(repeating: "**/a", count: 16).joined(separator: "/")
    let pattern = try #require(PathPattern(text))
    #expect(!pattern.matches(Array(repeating: "a", count: 2_000) + ["b"]))
  }

  @Test func `method, path and name all have to match`() {
    let condition = FaultCondition(method: .post, path: PathPattern("me/feed"), name: "post")
    #expect(condition.matches(Self.subject("POST", ["me", "feed"], name: "post")))
    #expect(!condition.matches(Self.subject("GET", ["me", "feed"], name: "post")))
    #expect(!condition.matches(Self.subject("POST", ["me"], name: "post")))
    #expect(!condition.matches(Self.subject("POST", ["me", "feed"])))
  }

  @Test func `the first rule decides, and all of them count`() {
    let other = OperationFault.error(InjectedError(code: 1), .notApplied)
    var injector = FaultInjector(
      FaultPlan([
        FaultRule(.operation(Self.error), when: FaultCondition(occasion: .nth(1))),
        FaultRule(.operation(other), when: FaultCondition(occasion: .first(2))),
      ]), seed: 1)
    _ = injector.startCall([Self.subject()], at: 1)
    #expect(injector.effect(for: Self.subject()) == Self.error)
    #expect(injector.effect(for: Self.subject()) == other)
    #expect(injector.effect(for: Self.subject()) == nil)
  }

  @Test func `a delay starts at the first call, and earlier matches are not counted`() {
    let condition = FaultCondition(delay: .seconds(5), occasion: .nth(1))
    var injector = FaultInjector(
      FaultPlan([FaultRule(.call(.dropped(.notApplied)), when: condition)]), seed: 1)
    for (time, expected) in [(100, false), (104, false), (105, true), (106, false)] {
      #expect((injector.startCall([Self.subject()], at: time).call != nil) == expected)
    }
  }

  @Test func `a partial batch leaves the items from an index on unfinished`() {
    let fault = CallFault.partial(from: 1, .null, .applied)
    var injector = FaultInjector(FaultPlan([FaultRule(.call(fault))]), seed: 1)
    let subjects = (0..<3).map { Self.subject(index: $0) }
    #expect(injector.startCall(subjects, at: 1).call == fault)
    #expect(injector.effect(for: subjects[0]) == nil)
    #expect(injector.effect(for: subjects[1]) == .unfinished(.null, .applied))
    #expect(injector.effect(for: subjects[2]) == .unfinished(.null, .applied))
  }

  @Test func `a call fault with a condition needs a matching operation`() {
    let condition = FaultCondition(method: .delete)
    var injector = FaultInjector(
      FaultPlan([FaultRule(.call(.dropped(.notApplied)), when: condition)]), seed: 1)
    #expect(injector.startCall([], at: 1).call == nil)
    #expect(injector.startCall([Self.subject()], at: 2).call == nil)
    #expect(injector.startCall([Self.subject(), Self.subject("DELETE")], at: 3).call != nil)
  }
}
