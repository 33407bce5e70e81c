import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

@Suite
struct WatchedRunTests {
  private static let repeated = RequestFacts(
    name: "post", method: .post, path: "me/feed", line: 3, dependsOn: [], isRepeated: true)

  private static let total = WatchedRun.Total(known: 1000, isComplete: true)

  private static func end(_ item: Int, _ status: RequestStatus = .succeeded) -> RunEvent {
    .requestEnded(
      RequestEnd(
        request: 0, item: ItemID(index: item, key: "sku-\(item)"), status: status, code: 200,
        body: nil, isTainted: false,
        failure: status == .succeeded
          ? nil
          : Failure(
            error: GraphError(message: "(#100) no: sku-\(item)", code: 100), category: .other,
            reason: .parameter, hint: ""),
        skipReason: nil, skipDetail: nil, expectations: [], resolvedPath: "me/feed"))
  }

  private static func call(_ number: Int, at offset: Int64, _ items: Range<Int>) -> RunEvent {
    .callStarted(
      CallStart(
        number: number, round: 1, kind: .batch, startedAt: SampleRuns.timestamp(offset),
        operations: items.map {
          AttemptID(request: 0, number: 1, item: ItemID(index: $0, key: "sku-\($0)"))
        }))
  }

  private static func run(_ events: [RunEvent]) -> WatchedRun {
    var run = WatchedRun(total: total)
    for event in events { _ = run.apply(event) }
    return run
  }

  private static let started = SampleRuns.start([repeated])

  @Test func `the block shows how far the run is, what went wrong, and what takes long`() {
    let pause = QuotaPause(
      until: SampleRuns.timestamp(200_000), cause: .throttled, scope: .app)
    let run = Self.run(
      [Self.started, Self.call(1, at: 0, 400..<450)]
        + (0..<390).map { Self.end($0) } + (390..<400).map { Self.end($0, .failed) }
        + [
          SampleRuns.answered(9, usage: ["app": ["call_count": 62, "total_time": 5]]),
          .paused(pause),
        ])
    let look = ProgressStyle(width: 80, zone: 3600)
    #expect(
      run.block(look, at: SampleRuns.timestamp(5000)) == [
        "post-and-verify  ━━━━━━━━━━━━━━━━━──────────────────────────  400 of 1000  40 %",
        "  10 failed · 1 call · 62 % of the limit",
        "  paused: rate limit of the app, back at 10:03:20, in 3:15",
        "  0:05  post[sku-400] and 49 more",
      ])
  }

  @Test(arguments: [1, 5, 20, 39, 40, 60, 80, 120, 400])
  func `no line is wider than the terminal`(width: Int) {
    let run = Self.run([Self.started, Self.call(1, at: 0, 0..<50), Self.end(3, .inDoubt)])
    for look in [ProgressStyle(width: width), ProgressStyle(width: width, hasUnicode: false)] {
      let lines = run.block(look, at: SampleRuns.timestamp(9000))
      #expect(lines.allSatisfy { DisplayText.columns($0) <= max(2, width) }, "\(lines)")
      #expect(look.hasUnicode || lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }
  }

  @Test func `colours take no columns`() {
    let run = Self.run([Self.started] + (0..<500).map { Self.end($0) })
    let now = SampleRuns.timestamp(0)
    let plain = run.block(ProgressStyle(width: 80), at: now).map(DisplayText.columns)
    let colored = run.block(ProgressStyle(width: 80, style: .colored), at: now)
    #expect(colored.map(DisplayText.columns) == plain)
    #expect(colored[0].contains("\u{1b}[32m"))
  }

  @Test func `the speed of the last seconds gives the time that is left`() {
    var run = Self.run([Self.started])
    for second in 0..<20 {
      run.note(at: SampleRuns.timestamp(Int64(second) * 1000))
      for item in 0..<20 { _ = run.apply(Self.end(second * 20 + item)) }
    }
    #expect(run.operationsPerSecond == 20)
    #expect(run.millisecondsLeft == 30_000)
    #expect(run.logLine == "400 of 1000 (40 %), 20 operations/s, 0:30 left")
  }

  @Test func `a pause is shown until its end, and a new call ends it`() {
    let pause = QuotaPause(until: SampleRuns.timestamp(10_000), cause: .outage)
    var run = Self.run([Self.started, .paused(pause)])
    #expect(run.pause(at: SampleRuns.timestamp(9999)) == pause)
    #expect(run.pause(at: SampleRuns.timestamp(10_000)) == nil)
    _ = run.apply(Self.call(1, at: 0, 0..<1))
    #expect(run.pause(at: SampleRuns.timestamp(0)) == nil)
  }

  @Test func `a resumed run counts what succeeded`() {
    let run = Self.run([
      Self.started, Self.end(0), Self.end(1, .failed), .runResumed(SampleRuns.timestamp(1)),
    ])
    #expect(run.logLine == "1 of 1000 (0 %)")
  }

  @Test func `plain lines are few: the start, tenths, pauses, new failures, the end`() {
    var lines = ProgressLines(.plain, total: Self.total)
    let pause = QuotaPause(until: SampleRuns.timestamp(10_000), cause: .throttled)
    let events =
      [Self.started] + (0..<300).map { Self.end($0) } + [.paused(pause)]
      + (300..<350).map { Self.end($0, .failed) }
      + [SampleRuns.end(.failed, 1)]
    #expect(
      events.enumerated().flatMap { number, event in
        // Two of the tenths come less than ten seconds after another line.
        lines.lines(for: event, at: SampleRuns.timestamp(Int64(min(number, 310)) * 90))
      } == [
        "run \(SampleRuns.id): post-and-verify, 1 request", "200 of 1000 (20 %)",
        "paused until \(pause.until): rate limit",
        "failed: post[sku-300]: (#100) no: sku-300 [parameter]",
        "run \(SampleRuns.id): failed in 412 ms",
      ])
  }

  @Test func `a silent run is heard of every half minute, and programs every second`() throws {
    for (format, silence) in [(ProgressLines.Format.plain, Int64(30_000)), (.json, 1000)] {
      var lines = ProgressLines(format, total: Self.total)
      _ = lines.lines(for: Self.started, at: SampleRuns.timestamp(0))
      #expect(lines.reminder(at: SampleRuns.timestamp(silence - 1)) == nil)
      #expect(lines.reminder(at: SampleRuns.timestamp(silence)) != nil)
      #expect(lines.reminder(at: SampleRuns.timestamp(silence + 1)) == nil)
    }
  }

  @Test func `for programs each line is an object with the figures`() throws {
    var lines = ProgressLines(.json, total: Self.total)
    let events = [
      Self.started, Self.end(0), Self.end(1, .failed), Self.end(2, .failed),
      SampleRuns.end(.failed, 1),
    ]
    let objects = try events.flatMap { lines.lines(for: $0, at: SampleRuns.timestamp(0)) }.map {
      try JSON(parsing: $0)
    }
    #expect(objects.map { $0["event"]?.string } == ["started", "failure", "ended"])
    #expect(objects[1]["failure"]?["item"]?.string == "sku-1")
    #expect(objects[2]["status"]?.string == "failed")
    #expect(objects[2]["failed"]?.number?.double == 2)
    #expect(objects[2]["total"]?.number?.double == 1000)
  }
}
