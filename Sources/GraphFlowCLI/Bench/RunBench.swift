import GraphAPI
import GraphFlow
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A whole run: reads against the sandbox in the same process, over HTTP, with a real journal.
enum RunBench {
  /// What is measured.
  static let name = "run"

  /// The figures: operations a second, and the most memory that the process had.
  static func measured(reads: Int) throws -> [(name: String, value: String)] {
    let source = BenchData.workflow(requests: reads)
    guard let workflow = Workflow.reading(source).workflow else {
      throw CommandFailure(.internalError, "the bench's workflow is refused")
    }
    let folder = "/tmp/graphflow-bench-\(getpid())"
    let time = Elapsed()
    _ = try Foreground.run { _ in
      try await LocalSandbox().serving { settings in
        try await run(workflow, with: settings, in: StateDirectory(path: folder), time: time)
      }
    }
    try removeTree(folder)
    return [
      (
        "run of \(reads) reads, sandbox in the process",
        Stopwatch.rate(count: reads, of: "operations", in: time.value.withLock { $0 })
      ),
      ("peak memory of the process, sandbox included", "\(peakMemory() / 1_000_000) MB"),
    ]
  }

  private static func run(
    _ workflow: Workflow,
    with settings: Settings,
    in directory: StateDirectory,
    time: Elapsed
  ) async throws -> ExitStatus {
    let inputs = InputValues.resolving(workflow, flags: [], file: nil, environment: [:]).values
    guard let inputs else { throw CommandFailure(.internalError, "the bench has no inputs") }
    let startedAt = WallClock.now()
    var chance = SystemRandomNumberGenerator()
    let id = RunID(startedAt: startedAt, using: &chance)
    let journal = try directory.createJournal(for: id)
    let context = RunContext(
      graphURL: settings.graphURL,
      version: .current,
      token: { profile async throws(TokenUnavailable) in
        try settings.tokens.token(forRunWith: profile)
      },
      readFile: { _ in throw CommandFailure(.unreadable, "the bench has no files") }
    )
    return try await HTTPClientTransport.withTransport(concurrency: 4) { transport in
      let began = ContinuousClock.now
      let state = RunState(
        workflow: workflow,
        inputs: inputs,
        options: RunOptions(),
        context: context,
        id: id,
        startedAt: startedAt,
        seed: 1
      )
      let runner = Runner(transport: transport, journal: journal, clock: ContinuousClock())
      var report = Report(of: [])
      let end = try await runner.run(state) { report.receive($0) }
      time.value.withLock { $0 = began.duration(to: .now) }
      try await journal.close()
      return ExitStatus(rawValue: Int32(end.exitCode)) ?? .internalError
    }
  }

  /// The greatest resident size of the process so far, in bytes.
  static func peakMemory() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
    #else
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
    #endif
  }

  /// Removes a folder with all that is in it.
  static func removeTree(_ path: String) throws {
    if FileReading.isFolder(path) && !FileReading.isLink(path) {
      for name in try FileReading.entries(of: path) { try removeTree(path + "/" + name) }
    }
    remove(path)
  }
}

/// A duration that comes out of a task.
private final class Elapsed: Sendable {
  let value = Mutex(Duration.zero)
}
