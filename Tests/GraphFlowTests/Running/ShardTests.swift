import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The parts of a job: which requests and items each has, and what they do together.
struct ShardTests {
  @Test func `a part is written as it is read`() {
    for text in ["1/2", "8/8", "10000/10000", "prologue/3", "epilogue/3"] {
      #expect(Shard(rawValue: text)?.description == text)
    }
    for text in [
      "", "1", "1/1", "0/2", "3/2", "+1/2", "01/2", "1/02", "1/10001", "1/2/3", "prologue/1", "x/2",
      "prologue", " 1/2",
    ] { #expect(Shard(rawValue: text) == nil, "\(text)") }
  }

  /// Python: int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % n + 1.
  @Test(arguments: [
    ("", 8, 5), ("sku-1", 8, 6), ("sku-2", 8, 3), ("122000000000023", 8, 1), ("Größe", 8, 7),
    ("sku-1", 3, 2), ("sku-1", 1000, 830), ("0", 2, 1), ("1", 2, 2), ("2", 2, 1),
  ]) func `the shard of a key is the same for ever`(key: String, count: Int, number: Int) {
    for other in 1...count {
      #expect(Shard(.items(other), of: count).holds(key: key) == (other == number))
    }
  }

  // MARK: - The parts of workflows

  private static let job = """
    graphflow: 1
    requests:
      page: {get: me, permissions: [x]}
      first: {post: "{result=page:$.id}/feed", params: {message: before}}
      publish:
        for_each: {file: rows.csv}
        key: "{item=$.sku}"
        requests:
          post: {post: "{result=page:$.id}/feed", params: {message: "{item=$.sku}"}}
          read: {get: "{result=post:$.id}", depends_on: [first]}
      audit: {get: "{result=page:$.id}/feed"}
      last: {post: "{result=page:$.id}/feed", params: {message: "{result=publish.post:$[2].id}"}}
      end: {get: "{result=last:$.id}"}
    outputs:
      first: "{result=first:$.id}"
      posts: {each: publish.read, columns: {id: "{result=post:$.id}", page: "{result=page:$.id}"}}

    """

  @Test func `each request has one part`() throws {
    let parts = JobParts(of: try workflow(Self.job))
    #expect(
      parts.phases
        == [.prologue, .prologue, .items, .items, .epilogue, .epilogue, .epilogue])
    #expect(parts.obstacle == nil)
    #expect(parts.hasPrologue && parts.hasEpilogue && parts.epilogueNeedsItems)

    let plain = JobParts(
      of: try workflow(
        """
        graphflow: 1
        requests:
          publish: {for_each: {file: rows.csv}, post: me/feed, params: {message: "{item=$.x}"}}
          other: {get: me}

        """))
    #expect(plain.phases == [.items, .epilogue])
    #expect(!plain.hasPrologue && plain.hasEpilogue && !plain.epilogueNeedsItems)
  }

  @Test func `what the rows of a group refer to comes before the group`() throws {
    let parts = JobParts(
      of: try workflow(
        """
        graphflow: 1
        requests:
          page: {get: me}
          publish: {for_each: {file: rows.csv}, post: me/feed, params: {message: "{item=$.x}"}}
        outputs:
          posts: {each: publish, columns: {page: "{result=page:$.id}"}}

        """))
    #expect(parts.phases == [.prologue, .items])
    #expect(!parts.hasEpilogue)
  }

  @Test(arguments: [
    (
      "g: {for_each: \"{result=a:$.data}\", get: me}\n  a: {get: me}",
      "the group 'g' takes its items from an answer and has no `key`"
    ),
    (
      "g: {for_each: {file: r.csv}, key: \"{run=id}-{item=$.x}\", get: me}",
      "the `key` of the group 'g' is another one in each run"
    ), ("a: {get: me}", "it has no group"),
    (
      "g: {for_each: {file: r.csv}, get: me}\n  h: {for_each: {file: r.csv}, get: me, "
        + "depends_on: [g]}", "'h', which a group needs, waits for all items of 'g'"
    ),
    (
      "g: {for_each: {file: r.csv}, get: me}\n  a: {get: me, depends_on: [g]}\n  "
        + "h: {for_each: {file: r.csv}, get: me, depends_on: [a]}",
      "'a', which a group needs, waits for all items of 'g'"
    ),
  ]) func `a workflow that cannot be divided says why`(requests: String, message: String) throws {
    let parts = JobParts(of: try workflow("graphflow: 1\nrequests:\n  \(requests)\n"))
    #expect(parts.obstacle?.hasPrefix(message) == true, "\(parts.obstacle ?? "none")")
  }

  // MARK: - A job

  /// The runs of all parts, each of which knows what those before it have done.
  private struct JobRun {
    var operations: [String] = []
    var callCount = 0
    var events: [[RunEvent]] = []
    var rows: [String] = []
    var ends: [RunEnd] = []
  }

  private static let items = (0..<730).map { JSON.object(["sku": .string("sku-\($0)")]) }

  private func run(
    _ shard: Shard?, inheriting events: [[RunEvent]] = [],
    _ body: (inout Simulation) -> Void = { _ in }
  ) throws -> Simulation {
    var options = RunOptions()
    options.shard = shard
    var run = try Simulation(try workflow(Self.job), options: options)
    run.items = [0: Self.items]
    run.graph.permissions = ["x": "granted"]
    body(&run)
    for event in events.joined() { run.state.inherit(event) }
    #expect(try run.run() != nil)
    return run
  }

  /// What was sent, without reading permissions, which each part does for itself.
  private func operations(of run: Simulation) -> [String] {
    run.graph.ledger.filter { $0 != "GET me/permissions" }
  }

  private func add(_ run: Simulation, to job: inout JobRun) throws {
    job.operations += operations(of: run)
    job.callCount += run.calls.count
    job.events.append(run.events)
    job.rows += run.rows.map { $0.value.serialized() }
    guard case .runEnded(let end)? = run.events.last else { return }
    job.ends.append(end)
  }

  private func runJob(of count: Int) throws -> JobRun {
    var job = JobRun()
    try add(run(Shard(.prologue, of: count)), to: &job)
    let prologue = job.events
    for number in 1...count {
      try add(run(Shard(.items(number), of: count), inheriting: prologue), to: &job)
    }
    try add(run(Shard(.epilogue, of: count), inheriting: job.events), to: &job)
    return job
  }

  @Test(arguments: [2, 3, 8]) func `all parts together are one run`(count: Int) throws {
    let whole = try run(nil)
    let job = try runJob(of: count)

    // Ids differ, because posts are made in another order.
    let shape = { (operations: [String]) in
      operations.map { $0.replacing(/[0-9]+/, with: "N") }.sorted()
    }
    #expect(shape(job.operations) == shape(operations(of: whole)))
    #expect(job.ends.allSatisfy { $0.status == .succeeded })
    #expect(job.rows.count == Self.items.count)
    // The prologue, and each further shard a call for each member that is not full; each part reads
    // permissions.
    #expect(job.callCount <= whole.calls.count + 1 + 2 * (count - 1) + count + 1)

    // Every request of every item ends once.
    var ended: [InstanceID: Int] = [:]
    for case .requestEnded(let end) in job.events.joined() {
      ended[InstanceID(end), default: 0] += 1
    }
    #expect(ended.count == 5 + 2 * Self.items.count && ended.values.allSatisfy { $0 == 1 })
  }

  @Test func `the report of a job is that of one run`() throws {
    let job = try runJob(of: 4)
    let starts = job.events.compactMap { events -> RunStart? in
      guard case .runStarted(let start)? = events.first else { return nil }
      return start
    }
    var history = try #require(JobHistory(of: starts))
    var report = Report(of: [.runStarted(history.start)])
    for (start, events) in zip(starts, job.events) {
      history.beginPart(start)
      for event in events { if let event = history.event(event) { report.apply(event) } }
      let hasEnded = history.finishPart()
      #expect(hasEnded)
    }
    report.apply(.runEnded(try #require(history.end(as: (.succeeded, 0)))))

    let whole = Report(of: try run(nil).events)
    #expect(report.summary.requests == whole.summary.requests)
    #expect(report.summary.succeeded == 5 + 2 * Self.items.count)
    #expect(
      report.requests.map { "\($0.displayName) \($0.attempts.count)" }
        == whole.requests.map { "\($0.displayName) \($0.attempts.count)" })
    #expect(report.end?.outputs["posts"] == ["rows": 730])
    #expect(report.end?.outputs["first"]?.string != nil)
    #expect(report.calls.count == job.callCount)
    #expect(Set(report.calls.map(\.start.number)).count == job.callCount)
  }

  @Test func `the epilogue sends nothing of a group, whatever failed there`() throws {
    let count = 3
    var job = JobRun()
    try add(run(Shard(.prologue, of: count)), to: &job)
    let prologue = job.events
    for number in 1...count {
      let shard = try run(Shard(.items(number), of: count), inheriting: prologue) { run in
        run.graph.fault = { operation, number in
          number % 3 == 1 ? .error(.invalidParameter, status: 400) : nil
        }
      }
      try add(shard, to: &job)
    }
    #expect(job.ends.map(\.status) == [.succeeded, .failed, .failed, .failed])
    let last = try run(Shard(.epilogue, of: count), inheriting: job.events)
    #expect(operations(of: last) == ["GET me/feed", "POST me/feed", "GET id1"])
    // Its own verdict: the shards have theirs.
    guard case .runEnded(let end)? = last.events.last else {
      Issue.record("it has not ended")
      return
    }
    #expect(end.status == .succeeded)
  }

  @Test func `the shards of a job have one budget together`() {
    func calls(_ shard: Shard?, of budget: Int?) -> Int? {
      var options = RunOptions(budget: RunBudget(calls: budget, usage: 50))
      options.shard = shard
      #expect(options.ownBudget.usage == 50)
      return options.ownBudget.calls
    }
    let shards = (1...8).map { Shard(.items($0), of: 8) }
    #expect(shards.map { calls($0, of: 1003) } == [126, 126, 126, 125, 125, 125, 125, 125])
    #expect(shards.map { calls($0, of: 3) } == Array(repeating: 1, count: 8))
    #expect(calls(shards[0], of: nil) == nil && calls(nil, of: 1003) == 1003)
    #expect(calls(Shard(.prologue, of: 8), of: 1003) == 1003)
  }

  @Test func `a shard that is resumed sends what is left of its own items`() throws {
    let shard = Shard(.items(2), of: 3)
    let prologue = [try run(Shard(.prologue, of: 3)).events]
    let whole = try run(shard, inheriting: prologue)
    var options = RunOptions()
    options.shard = shard
    for limit in 1...whole.calls.count {
      var killed = try Simulation(try workflow(Self.job), options: options)
      killed.items = [0: Self.items]
      killed.graph.permissions = ["x": "granted"]
      for event in prologue[0] { killed.state.inherit(event) }
      #expect(try killed.run(killedAtCall: limit) == nil)

      var resumed = try Simulation(try workflow(Self.job), options: options)
      for event in prologue[0] { resumed.state.inherit(event) }
      resumed.state.replay(killed.events, at: .seconds(1))
      resumed.items = [0: Self.items]
      resumed.graph.permissions = ["x": "granted"]
      #expect(try resumed.run() != nil)
      let posts = (killed.calls + resumed.calls).flatMap(\.operations)
        .filter { $0.method == .post }.map(\.parameters.first?.value)
      #expect(Set(posts).count == posts.count, "killed at call \(limit)")
      #expect(!posts.contains("before"))
    }
  }
}
