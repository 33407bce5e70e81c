import Testing

@testable import SimulatedWorld

/// The checker detects violations of each invariant: reports and journals that contradict the ledger.
struct CheckerTests {
  private let write = Sketch.Request(name: "w0", action: .post(page: "p", message: "hi"))
  private let read = Sketch.Request(name: "r1", action: .object("o"))

  /// A checker of a workflow with one post and a read that comes after it.
  private func checker() -> Checker {
    var world = World(seed: 1, size: 1)
    world.sketch = Sketch()
    var second = read
    second.soft = [0]
    world.sketch.requests = [write, second]
    return Checker(world: world)
  }

  private func ledger(effects: Int) -> Ledger {
    var ledger = Ledger()
    for number in 0..<effects {
      ledger.effects.append(
        Ledger.Effect(reference: "w0", id: "n\(number)", content: "p/feed|hi", at: .zero))
    }
    return ledger
  }

  private func report(
    _ status: String, id: String = "n0", exitCode: Int = 0, skipReason: String? = nil
  ) -> Value {
    let request = Value.object(
      ("name", .text("w0")), ("status", .text(status)), ("body", .object(("id", .text(id)))),
      ("skip_reason", skipReason.map(Value.text) ?? .null))
    return .object(
      ("run", .object(("exit_code", .integer(exitCode)))), ("requests", .list([request])))
  }

  @Test(arguments: [
    ("succeeded", 1, "n0", 0, nil), ("succeeded", 2, "n0", 0, "I1"),
    ("succeeded", 0, "n0", 0, "I2"), ("succeeded", 1, "n7", 0, "I2"),
    ("failed", 1, "n0", 1, "I3"), ("failed", 0, "n0", 1, nil), ("skipped", 1, "n0", 1, "I3"),
    ("in_doubt", 1, "n0", 3, nil), ("in_doubt", 0, "n0", 3, nil), ("in_doubt", 1, "n0", 1, "I3"),
    ("failed", 0, "n0", 0, "I2"),
  ])
  func `a report is compared with the ledger`(
    _ status: String, _ effects: Int, _ id: String, _ exitCode: Int, _ invariant: String?
  ) {
    var checker = checker()
    checker.check(
      report: report(status, id: id, exitCode: exitCode), exitCode: exitCode,
      ledger(effects: effects), afterCut: false)

    #expect(checker.violations.first.map { String($0.prefix(2)) } == invariant)
  }

  /// The group's items could not be read, so the report has none of them.
  @Test(arguments: [("ignore", nil), ("continue", "I2"), ("stop", "I2")])
  func `a run succeeds without a group only if its failures are ignored`(
    _ onError: String, _ invariant: String?
  ) {
    var world = World(seed: 1, size: 1)
    world.sketch = Sketch()
    var member = write
    (member.group, member.onError) = (0, onError)
    (world.sketch.requests, world.sketch.groups) = ([member], [[]])
    var checker = Checker(world: world)

    checker.check(report: report("failed"), exitCode: 0, Ledger(), afterCut: false)

    #expect(checker.violations.first.map { String($0.prefix(2)) } == invariant)
  }

  @Test func `a run that failed has a failure`() {
    for (status, isFine) in [("failed", true), ("succeeded", false)] {
      var checker = checker()
      checker.check(
        report: report(status, exitCode: 1), exitCode: 1,
        ledger(effects: status == "succeeded" ? 1 : 0), afterCut: false)
      #expect(checker.violations.contains { $0.hasPrefix("I2") } == !isFine)
    }
  }

  @Test func `an early end leaves only the clean-up`() {
    let start = row("run_started", #"{"requests":[{"name":"w0"},{"name":"r1"}]}"#)
    let cancelled = row("request_ended", #"{"request":0,"status":"cancelled"}"#)
    let failed = row("request_ended", #"{"request":0,"status":"failed"}"#)
    func call(_ number: Int, _ request: Int, at seconds: Int = 0) -> Store.Row {
      row(
        "call_started",
        "{\"call\":\(number),\"kind\":\"single\",\"at\":\(World.epoch + seconds * 1000),"
          + "\"operations\":[{\"request\":\(request),\"attempt\":1}]}")
    }
    // The rows, and whether they are right if the second request cleans up, and if it does not.
    let cases: [([Store.Row], Bool, Bool)] = [
      ([start, call(1, 0), cancelled, call(2, 1)], true, false),
      ([start, call(1, 0), failed, call(2, 1)], true, false),
      ([start, call(1, 0), call(2, 1, at: 90)], true, false),
      ([start, call(1, 0), call(2, 1, at: 30)], true, true),
      ([start, call(1, 0, at: 90)], false, false),
    ]
    for (rows, isRight, isRightWithout) in cases {
      for isCleanUp in [true, false] {
        var world = World(seed: 1, size: 1)
        world.sketch = Sketch()
        world.sketch.requests = [write, read]
        world.sketch.requests[0].onError = "stop"
        world.sketch.requests[1].isCleanUp = isCleanUp
        var checker = Checker(world: world)
        checker.deadline = .seconds(60)
        checker.check(process: 1, JournalRow.reading(rows), from: 0, Ledger())
        #expect(checker.violations.isEmpty == (isCleanUp ? isRight : isRightWithout), "\(rows)")
      }
    }
  }

  @Test func `a run that has ended has cleaned up`() {
    for (isSent, isFine) in [(true, false), (false, true)] {
      var world = World(seed: 1, size: 1)
      world.sketch = Sketch()
      world.sketch.requests = [write, read]
      world.sketch.requests[1].isCleanUp = true
      var checker = Checker(world: world)
      if isSent { checker.intents["w0"] = Checker.Intent(process: 1, row: 1, time: .zero) }
      checker.check(report: report("failed", exitCode: 1), exitCode: 1, Ledger(), afterCut: false)
      #expect(checker.violations.isEmpty == isFine)
    }
  }

  @Test func `a success must stay`() {
    for (status, id) in [("failed", "n0"), ("succeeded", "n1")] {
      var checker = checker()
      let truth = ledger(effects: 1)
      checker.check(report: report("succeeded"), exitCode: nil, truth, afterCut: false)
      checker.check(report: report(status, id: id), exitCode: nil, truth, afterCut: true)
      #expect(checker.violations.contains { $0.hasPrefix("I5") })
    }
  }

  @Test func `order, repetition and announced pauses are checked for arriving calls`() {
    let rows = [
      row("run_started", #"{"requests":[{"name":"w0"},{"name":"r1"}]}"#),
      row("request_ended", #"{"request":0,"status":"succeeded"}"#),
    ]
    let cases: [(String, Int, Bool, String?)] = [
      ("r1", 2, false, nil), ("r1", 1, false, "I4"), ("w0", 2, false, "I5"), ("w0", 1, false, nil),
      ("w0", 0, true, "I7"),
    ]
    for (reference, count, isTooEarly, invariant) in cases {
      var checker = checker()
      var ledger = Ledger()
      ledger.arrivals = [arrival(reference, process: 1, rows: count, at: 0, isTooEarly: isTooEarly)]
      checker.check(process: 1, JournalRow.reading(rows), from: 0, ledger)
      #expect(checker.violations.first.map { String($0.prefix(2)) } == invariant, "\(reference)")
    }
  }

  @Test func `what a preview has shown may be sent, and nothing else`() {
    // What the preview reports, the value that is sent and the one that was read, and whether the
    // write is sent; whether that is right.
    let (old, new) = (World(seed: 1, size: 1).count(of: "o", inProcess: 0), 20)
    let cases: [(String?, Int, Int, Bool, Bool)] = [
      ("cancelled", old, old, true, true), ("cancelled", new, new, true, false),
      ("skipped", old, old, true, false), (nil, old, old, true, false),
      ("cancelled", new, new, false, true), ("cancelled", old, old, false, false),
      ("skipped", old, old, false, true), (nil, old, old, false, false),
    ]
    for (status, value, count, isSent, isRight) in cases {
      var world = World(seed: 1, size: 1)
      world.sketch = Sketch()
      world.sketch.requests = [read, write]
      world.sketch.requests[1].note = 0
      var checker = Checker(world: world)
      checker.shown = status.map { ["w0": finding($0)] } ?? [:]
      if isSent {
        var arrival = arrival("w0", process: 1, rows: 2, at: 0)
        arrival.note = String(value)
        checker.checkApproval(of: world.sketch.requests[1], arrival)
      } else {
        checker.checkNotApproved([
          "w0": finding("failed", reason: "not_approved"), "r1": finding("succeeded", count: count),
        ])
      }
      #expect(checker.violations.isEmpty == isRight, "\(status ?? "not shown"), \(value)")
    }
  }

  @Test func `a preview writes nothing`() {
    for (reference, waits, isRight) in [
      ("w0", true, false), ("r1", true, false), ("r1", false, true),
    ] {
      var world = World(seed: 1, size: 1)
      world.sketch = Sketch()
      world.sketch.requests = [write, read]
      if waits { world.sketch.requests[1].soft = [0] }
      var checker = Checker(world: world)
      var ledger = Ledger()
      ledger.arrivals = [arrival(reference, process: 0, rows: 0, at: 0)]
      checker.checkPreview(ledger)
      #expect(checker.violations.isEmpty == isRight)
    }
  }

  @Test func `a run that begins at a request sends nothing before it, and has its results`() throws
  {
    for (status, exitCode, canBegin) in [("succeeded", 0, true), ("failed", 1, false)] {
      let comment = Sketch.Request(name: "c2", action: .comment(on: 0, message: "hi"))
      let first = checker(before: comment, ending: status, exitCode: exitCode)
      #expect((first.checker(ofRunFrom: "c2") != nil) == canBegin)
      guard canBegin else { continue }
      for (reference, path, isRight) in [
        ("c2", "n0/comments", true), ("c2", "n1/comments", false), ("w0", "p/feed", false),
      ] {
        var next = try #require(first.checker(ofRunFrom: "c2"))
        var arrival = arrival(reference, process: 2, rows: 1, at: 0)
        arrival.path = path
        next.checkRerun(arrival)
        #expect(next.violations.isEmpty == isRight, "\(reference) to \(path)")
      }
    }
  }

  @Test func `what depends on a failure of the earlier run counts as one`() throws {
    for (status, skip, isHeldUp) in [
      ("failed", nil, true), ("skipped", "dependency", true), ("skipped", "condition", false),
      ("succeeded", nil, false),
    ] {
      var cleanUp = Sketch.Request(name: "c2", action: .deleteMade(by: 0))
      cleanUp.isCleanUp = true
      let first = checker(before: cleanUp, ending: status, exitCode: 1, skipReason: skip)
      let next = try #require(first.checker(ofRunFrom: "c2"))
      #expect(next.isHeldUp("c2") == isHeldUp, "\(status)")
    }
  }

  /// A checker after a run whose write has ended so, and on which a request depends.
  private func checker(
    before dependent: Sketch.Request, ending status: String, exitCode: Int,
    skipReason: String? = nil
  ) -> Checker {
    var world = World(seed: 1, size: 1)
    world.sketch = Sketch()
    world.sketch.requests = [write, dependent]
    world.sketch.requests[1].hard = [0]
    var checker = Checker(world: world)
    checker.check(
      report: report(status, exitCode: exitCode, skipReason: skipReason), exitCode: exitCode,
      ledger(effects: status == "succeeded" ? 1 : 0), afterCut: false)
    return checker
  }

  private func finding(_ status: String, reason: String? = nil, count: Int? = nil) -> Finding {
    Finding(
      status: status, body: count.map { .object(("count", .integer($0))) }, attempts: [],
      reason: reason, skipReason: nil)
  }

  @Test func `attempts and calls for retries have their budgets`() {
    let start = row("run_started", #"{"requests":[{"name":"w0"},{"name":"r1"}]}"#)
    let attempts = (1...15).flatMap { number in
      [
        row(
          "call_started",
          "{\"call\":\(number),\"kind\":\"batch\",\"operations\":[{\"request\":1,\"attempt\":1}]}"),
        row(
          "attempt_ended",
          "{\"call\":\(number),\"request\":1,\"outcome\":\"failed\","
            + "\"failure\":{\"reason\":\"server\"}}"),
      ]
    }
    var checker = checker()
    checker.check(process: 1, JournalRow.reading([start] + attempts), from: 0, Ledger())

    #expect(checker.violations.count { $0.hasPrefix("I7") } == 2)
  }

  @Test func `a timeout of a shared call is not counted as a read's attempt`() {
    // Calls of a read, alone or with a write, that fail for one reason; whether there are too many.
    let early = Array(repeating: (isAlone: false, reason: "timeout"), count: 6)
    let broken = Array(repeating: (isAlone: false, reason: "server"), count: 3)
    let last = (isAlone: true, reason: "server")
    let cases: [([(isAlone: Bool, reason: String)], Bool)] = [
      (early, false), (early + Array(repeating: last, count: 4), false),
      (early + Array(repeating: last, count: 5), true), (broken + [last], false),
      (broken + [last, last], true), (early + early + early + early + early, true),
    ]
    for (calls, isTooOften) in cases {
      var checker = checker()
      let rows = calls.enumerated().flatMap { number, call in
        let requests = call.isAlone ? [1] : [0, 1]
        let operations = requests.map { "{\"request\":\($0),\"attempt\":1}" }
        let start =
          "{\"call\":\(number),\"kind\":\"batch\","
          + "\"operations\":[\(operations.joined(separator: ","))]}"
        let ends = requests.map { request in
          "{\"call\":\(number),\"request\":\(request),\"outcome\":\"failed\","
            + "\"failure\":{\"reason\":\"\(call.reason)\"}}"
        }
        return [row("call_started", start)] + ends.map { row("attempt_ended", $0) }
      }
      let start = row("run_started", #"{"requests":[{"name":"w0"},{"name":"r1"}]}"#)
      checker.check(process: 1, JournalRow.reading([start] + rows), from: 0, Ledger())
      let hasViolation = checker.violations.contains { $0.contains("r1") }
      #expect(hasViolation == isTooOften, "\(calls): \(checker.violations)")
    }
  }

  /// A process is killed before its write reaches Graph, and the next one checks for the write.
  @Test(arguments: [
    // The times of the baseline and of the post of others, and the violated invariant.
    (nil, 60, nil), (nil, 600, nil), (nil, -20, "I2"), (3, 60, nil), (3, 1, "I2"),
    // After the intent, and long before the send.
    (3, 10, nil),
  ])
  func `a check may take a post of others only if it was made after the intent`(
    _ check: Int?, _ second: Int, _ invariant: String?
  ) throws {
    let seed = try #require((1..<100).first { World(seed: $0, size: 1).dates.isReliable })
    var world = World(seed: seed, size: 1)
    var write = write
    write.isConfirmable = true
    world.sketch = Sketch()
    world.sketch.requests = [write]
    var checker = Checker(world: world)
    let time = Duration.seconds(second)
    var ledger = Ledger()
    ledger.otherPosts["p/feed|hi"] = [Ledger.OtherPost(id: "n0", at: time, visibleFrom: time)]
    // A call of the same process that was answered just before the intent.
    ledger.arrivals = [arrival("r1", process: 1, rows: 1, at: 5)]
    if let check {
      ledger.arrivals.insert(arrival("check-w0", process: 1, rows: 1, at: check), at: 0)
    }
    ledger.arrivals.append(arrival("check-w0", process: 2, rows: 2, at: 7200))
    ledger.firstSends["w0"] = .seconds(30)
    let rows = [
      row("run_started", #"{"requests":[{"name":"w0"}]}"#),
      row(
        "call_started",
        """
        {"call":1,"kind":"batch","at":\(World.epoch + 6000),"operations":[{"request":0,"attempt":1}]}
        """),
    ]
    checker.check(process: 1, JournalRow.reading(rows), from: 0, ledger)
    checker.check(report: report("succeeded"), exitCode: nil, ledger, afterCut: false)

    #expect(checker.violations.first.map { String($0.prefix(2)) } == invariant)
  }

  private func arrival(
    _ reference: String, process: Int, rows: Int, at second: Int, isTooEarly: Bool = false
  ) -> Ledger.Arrival {
    Ledger.Arrival(
      reference: reference, process: process, rows: rows, predecessors: [], at: .seconds(second),
      isTooEarly: isTooEarly, isWorkedOn: true)
  }

  private func row(_ kind: String, _ json: String) -> Store.Row {
    Store.Row(kind: kind, json: Array(json.utf8), body: nil)
  }
}
