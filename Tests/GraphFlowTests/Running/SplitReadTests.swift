import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A read in parts gets everything that can be read exactly once, and names what cannot.
struct SplitReadTests {
  /// A service with elements that it refuses, and a limit for one read.
  private struct Service {
    var days = 1
    var ids: [String] = []
    var fields: [String] = []
    var badIDs: Set<String> = []
    var badFields: Set<String> = []
    var limit = Int.max
    var code = 100
    var subcode = 1_487_534

    var operation: BatchOperation {
      let until = CalendarDay(daysSince1970: 19_000 + Int64(days) - 1).text
      let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
      return BatchOperation(
        method: .get, path: "act_7/insights",
        parameters: [
          .init(name: "level", value: "ad"), .init(name: "time_increment", value: "1"),
          .init(
            name: "time_range",
            value: #"{"since":"\#(CalendarDay(daysSince1970: 19_000).text)","until":"\#(until)"}"#),
          .init(
            name: "filtering",
            value: #"[{"field":"ad.id","operator":"IN","value":[\#(list)]}]"#),
          .init(name: "fields", value: (["ad_id"] + fields).joined(separator: ",")),
        ])
    }

    /// The rows that an operation asks for, or why it is refused.
    func answer(_ operation: BatchOperation) throws -> Result<[JSON], GraphError> {
      func json(_ name: String) throws -> JSON {
        try JSON(parsing: operation.parameters.first { $0.name == name }?.value ?? "")
      }
      func day(_ name: String) throws -> Int64 {
        try CalendarDay(json("time_range")[name]?.string ?? "")?.daysSince1970 ?? 0
      }
      let days = try day("since")...day("until")
      let ids = try json("filtering")[0]?["value"]?.array?.compactMap(\.string) ?? []
      let names =
        operation.parameters.first { $0.name == "fields" }?.value.split(separator: ",")
        .map(String.init) ?? []
      #expect(!ids.isEmpty && names.count > 1 && names.first == "ad_id")
      guard badIDs.isDisjoint(with: ids), badFields.isDisjoint(with: names) else {
        return .failure(GraphError(message: "(#100) bad", code: 100))
      }
      guard days.count * ids.count * (names.count - 1) <= limit else {
        return .failure(GraphError(message: "too much", code: code, subcode: subcode))
      }
      return .success(
        days.flatMap { day in
          ids.map { id in
            .object(
              JSON.Object(
                names.map { ($0, .string($0 == "ad_id" ? id : "\(day) \(id) \($0)")) } + [
                  ("date_start", .string(CalendarDay(daysSince1970: day).text))
                ]))
          }
        })
    }

    /// The rows that can be read.
    var rows: Set<JSON> {
      get throws {
        var good = self
        good.ids.removeAll(where: badIDs.contains)
        good.fields.removeAll(where: badFields.contains)
        good.limit = .max
        return Set(try good.answer(good.operation).get())
      }
    }
  }

  /// What a split read of a service gets, and how many reads it takes after the first one.
  private func read(
    _ service: Service, by order: [SplitDimension], _ known: SplitMemory.Known = .init()
  ) throws -> (split: SplitRead, reads: Int) {
    var known = known
    if known.isEmpty {
      guard case .failure(let error) = try service.answer(service.operation) else {
        Issue.record("nothing fails")
        throw GraphError(message: "")
      }
      known.problem = problem(error)
    }
    var split = SplitRead(of: service.operation, by: order, known)
    var reads = 0
    while !split.isFinished, !split.isHopeless {
      var operation = service.operation
      split.turn(&operation)
      reads += 1
      try #require(reads < 20_000)
      switch try service.answer(operation) {
      case .success(let rows): split.succeed(["data": .array(rows)])
      case .failure(let error): split.fail(problem(error))
      }
    }
    return (split, reads)
  }

  private func problem(_ error: GraphError) -> SplitRead.Problem {
    let classification = ErrorTable.standard.classification(of: error, status: 400)
    let failure = Failure(error, classification)
    guard let cause = SplitRead.Cause(failure, isOfRun: false, hasIDs: false) else {
      Issue.record("\(error)")
      return .init(cause: .refusal, failure: failure)
    }
    return .init(cause: cause, failure: failure)
  }

  private func names(_ letter: String, _ count: Int) -> [String] {
    (0..<count).map { "\(letter)\($0)" }
  }

  /// The rows, each of which must be there once.
  private func rows(_ split: SplitRead) -> Set<JSON> {
    let rows = split.body["data"]?.array ?? []
    #expect(Set(rows).count == rows.count)
    return Set(rows)
  }

  @Test func `one bad field or id of many costs few reads`() throws {
    for place in [0, 1, 23, 46, 47] {
      let service = Service(
        days: 7, ids: names("1", 20), fields: names("f", 48), badFields: ["f\(place)"])
      let (split, reads) = try read(service, by: [.window, .ids, .fields])
      #expect(try rows(split) == service.rows)
      let missing: JSON = [["fields": [.string("f\(place)")]]]
      #expect(split.missing?.missing == missing)
      // 2 · log2 48 + 4 = 15.2
      #expect(reads <= 15, "\(reads)")
    }
    for place in [0, 249, 250, 499] {
      let service = Service(ids: names("1", 500), fields: ["a"], badIDs: ["1\(place)"])
      let (split, reads) = try read(service, by: [.ids, .fields])
      #expect(try rows(split) == service.rows)
      let missing: JSON = [["ids": [.string("1\(place)")]]]
      #expect(split.missing?.missing == missing)
      // 2 · log2 500 + 4 = 21.9
      #expect(reads <= 21, "\(reads)")
    }
  }

  @Test func `everything that can be read is read once, and what cannot is named`() throws {
    var generator = SplitMix64(seed: 21)
    for round in 0..<200 {
      func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      var service = Service(
        days: random(1...9), ids: names("1", random(2...40)), fields: names("f", random(2...24)))
      service.badIDs = Set(
        (0..<random(0...2)).map { _ in service.ids[random(1...service.ids.count) - 1] })
      service.badFields = Set(
        (0..<random(0...2)).map { _ in service.fields[random(1...service.fields.count) - 1] })
      if service.badIDs.count == service.ids.count { service.badIDs = [] }
      if service.badFields.count == service.fields.count { service.badFields = [] }
      if random(0...1) == 0 { service.limit = random(1...service.days * service.ids.count * 2) }
      guard case .failure = try service.answer(service.operation) else { continue }
      let order = SplitDimension.allCases.shuffled(using: &generator)
      let (split, _) = try read(service, by: order)
      #expect(!split.isHopeless, "\(round)")
      #expect(try rows(split) == service.rows, "\(round)")
      let missing = split.missing?.missing?.array ?? []
      for (word, bad) in [("ids", service.badIDs), ("fields", service.badFields)] {
        let named = missing.flatMap { $0[word]?.array ?? [] }.compactMap(\.string)
        #expect(Set(named) == bad, "\(round)")
      }
    }
  }

  @Test func `a timeout may be a matter of size`() throws {
    let service = Service(
      days: 8, ids: names("1", 8), fields: ["a", "b"], limit: 16, code: 2, subcode: 1_504_038)
    let (split, _) = try read(service, by: [.window, .ids])
    #expect(try rows(split) == service.rows && split.missing == nil)
  }

  @Test func `a failure that has nothing to do with the parts costs few reads`() throws {
    let fields = names("f", 48)
    let service = Service(
      days: 90, ids: names("1", 500), fields: fields, badFields: Set(fields))
    let (split, reads) = try read(service, by: [.window, .ids, .fields])
    #expect(split.isHopeless && split.missing == nil && reads <= 32, "\(reads)")
  }

  @Test func `what one read has learned spares the next one the search`() throws {
    let service = Service(
      days: 8, ids: names("1", 16), fields: names("f", 8), badFields: ["f3"], limit: 7 * 2 * 16)
    let (first, _) = try read(service, by: [.window, .ids, .fields])
    var memory = SplitMemory()
    memory.learn(from: first, of: 0, service.operation)
    let known = memory.known(of: 0, service.operation)
    let (second, reads) = try read(service, by: [.window, .ids, .fields], known)
    // Twice the days of a quarter, and the two halves of the fields.
    #expect(reads == 8)
    #expect(try rows(second) == service.rows)
    #expect(second.missing?.missing == first.missing?.missing)
    var other = service.operation
    other.path = "act_8/insights"
    #expect(memory.known(of: 0, other).counts == nil)
    #expect(memory.known(of: 0, other).refusals == known.refusals)
    #expect(memory.isEmpty(of: 1))
  }

  @Test func `parts of an object are merged, and metrics are rows`() {
    let objects = SplitLists(
      of: BatchOperation(
        method: .get, path: "",
        parameters: [
          .init(name: "ids", value: "1,2"), .init(name: "fields", value: "id,a{b,c},d.as(e)"),
        ]), by: [.ids, .fields])
    #expect(objects.names(.fields) == ["a{b,c}", "d.as(e)"])
    #expect(objects.names(.ids) == ["1", "2"])
    #expect(
      objects.joined([
        .init(body: ["1": ["id": "1", "a": 1]], fields: ["a{b,c}"]),
        .init(body: ["1": ["id": "1", "e": 2]], fields: ["d.as(e)"]),
        .init(body: ["2": ["id": "2"]], fields: ["a{b,c}"]),
      ]) == ["1": ["id": "1", "a": 1, "e": 2], "2": ["id": "2"]])
    let metrics = SplitLists(
      of: BatchOperation(
        method: .get, path: "", parameters: [.init(name: "metric", value: "a, b")]), by: [.fields])
    #expect(
      metrics.joined([
        .init(body: ["data": [["name": "a"]]], fields: ["a"]),
        .init(body: ["data": [["name": "b"]]], fields: ["b"]),
      ]) == ["data": [["name": "a"], ["name": "b"]]])
  }
}
