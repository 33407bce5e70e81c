import GraphAPI
import GraphFlow
import JSONPath
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the parts of a run of reads cost in processor time: each is found by leaving it out.
struct RunShares: Sendable {
  private let workflow: Workflow
  private let folder: String
  private let count: Int
  private let answer: WireResponse
  private let batch: BatchRequest

  /// Prepares to run the workflow of a file over the rows beside it.
  init(of workflow: Workflow, in folder: String, count: Int) throws {
    self.workflow = workflow
    self.folder = folder
    self.count = count
    let operation = BatchOperation(
      method: .get,
      path: "row-1234567",
      parameters: [BatchOperation.Parameter(name: "fields", value: "id,name")]
    )
    guard let token = AccessToken("bench-token"),
      let batch = BatchRequest(
        operations: Array(repeating: operation, count: 50),
        accessToken: token,
        version: .current
      )
    else { throw CommandFailure(.internalError, "the bench has no batch") }
    self.batch = batch
    answer = WireResponse(status: 200, body: InstantResponder.body(operations: 50))
  }

  /// The shares of the processor time that the whole command took.
  func measured(whole: Duration) throws -> String {
    let inputs = InputValues.resolving(workflow, flags: [], file: nil, environment: [:]).values
    guard let inputs else { throw CommandFailure(.internalError, "the bench has no inputs") }
    let reading = try ProcessorTime.of { _ = try ItemCheck.digests(of: workflow, inputs: inputs) }
    let json = ProcessorTime.of {
      guard let url = GraphURL("http://127.0.0.1:1") else { return }
      for _ in 0..<(count / 50) {
        _ = batch.wireRequest(to: url)
        _ = batch.answer(from: answer)
      }
    }
    let state = try run(inputs, hasJournal: false, hasReport: false)
    let reported = try run(inputs, hasJournal: false, hasReport: true)
    let journaled = try run(inputs, hasJournal: true, hasReport: true)
    let parts: [(String, Duration)] = [
      ("journal", journaled - reported), ("report", reported - state), ("JSON of calls", json),
      ("planning and state", state - json), ("items, looked through before", reading),
      ("HTTP, and reading items", whole - journaled - reading),
    ]
    return parts.map { name, time in
      let share = 100 * Stopwatch.seconds(time) / max(Stopwatch.seconds(whole), 1e-9)
      return "\(name) \(Int(share.rounded())) %"
    }
    .joined(separator: ", ")
  }

  /// The processor time of a run whose answers come out of memory.
  private func run(_ inputs: InputValues, hasJournal: Bool, hasReport: Bool) throws -> Duration {
    let path = folder + "/shares"
    defer { BenchFolder.remove(path) }
    let measured = Measured()
    _ = try Foreground.run { _ in
      var chance = SystemRandomNumberGenerator()
      let id = RunID(startedAt: WallClock.now(), using: &chance)
      let journal = hasJournal ? try StateDirectory(path: path).createJournal(for: id) : nil
      let state = try state(inputs, id)
      let runner = Runner(
        transport: CannedTransport(answer: answer),
        journal: journal ?? Forgetful(),
        clock: ContinuousClock()
      )
      let reports = hasReport ? [folder + "/shares.jsonl"] : []
      var lines = LineReports(goingOnFrom: Report(of: []), at: reports)
      let start = ProcessorTime.now()
      _ = try await runner.run(state) { event in
        if hasReport { lines.receive(event) }
      }
      _ = lines.finish()
      measured.time.withLock { $0 = ProcessorTime.now() - start }
      try await journal?.close()
      return .succeeded
    }
    return measured.time.withLock { $0 }
  }

  private func state(_ inputs: InputValues, _ id: RunID) throws -> RunState {
    guard let url = GraphURL("http://127.0.0.1:1"), let token = AccessToken("bench-token") else {
      throw CommandFailure(.internalError, "the bench has no address")
    }
    let count = count
    return RunState(
      workflow: workflow,
      inputs: inputs,
      options: RunOptions(concurrency: 8),
      context: RunContext(
        graphURL: url,
        version: .current,
        token: { _ async throws(TokenUnavailable) in token },
        readFile: { _ in throw CommandFailure(.unreadable, "the bench has no files") },
        openItems: { _ in
          var next = 0
          return ItemStream { most in
            let range = next..<min(count, next + most)
            next = range.upperBound
            return range.map { ["id": .string("row-\($0)"), "note": "some text of a row"] }
          }
        }
      ),
      id: id,
      startedAt: WallClock.now(),
      seed: 1
    )
  }

  /// A duration that comes out of a task.
  private final class Measured: Sendable {
    let time = Mutex(Duration.zero)
  }

  /// Answers from memory.
  private struct CannedTransport: Transport {
    let answer: WireResponse

    func send(
      _ request: WireRequest,
      timeout: Duration
    ) async throws(TransportFailure) -> WireResponse { answer }
  }

  /// Keeps nothing.
  private struct Forgetful: Journal {
    func append(_ events: [RunEvent], durably: Bool) async throws {}
  }
}

/// What all threads of this process and the system on their behalf computed.
enum ProcessorTime {
  /// So far.
  static func now() -> Duration {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    return .seconds(user.tv_sec + system.tv_sec)
      + .microseconds(Int64(user.tv_usec) + Int64(system.tv_usec))
  }

  /// While the body runs.
  static func of(_ body: () throws -> Void) rethrows -> Duration {
    let start = now()
    try body()
    return now() - start
  }
}
