import ArgumentParser
import GraphFlow
import GraphSandbox
import JSONPath

/// A sandbox with a state directory of its own, for runs by a virtual clock.
struct Stage: Sendable {
  let clock: LeapingClock
  let sandbox: RunningSandbox
  private let settings: Settings
  private let folder: ScratchFolder

  /// What came of a run.
  struct Result: Sendable {
    let exit: Int
    /// Nil if the run was refused before it started.
    let report: Report?
    /// What the run printed on standard error.
    let messages: String
    /// What the sandbox was asked meanwhile.
    let calls: [SandboxCall]

    /// The writes that took effect, whatever their answers were.
    var writes: [SandboxCall.Operation] {
      calls.flatMap(\.operations).filter { $0.isApplied && $0.method != "GET" }
    }
  }

  /// How long after the start of its world a sandbox opens, unless a time is given.
  private static let age = 30 * 86_400

  /// When a sandbox opens, in seconds since 1970.
  static func opening(of given: TestFile.Given) -> Int { given.clock ?? given.world.start + age }

  /// Serves a sandbox while the body runs.
  ///
  /// A kept world is good for several runs, as Graph's is: a run that is not finished blocks the next.
  static func opened<Outcome: Sendable>(
    for given: TestFile.Given, isKept: Bool = false,
    _ body: @escaping @Sendable (Stage) async throws -> Outcome
  ) async throws -> Outcome {
    let start = opening(of: given)
    let clock = LeapingClock(at: .seconds(start))
    var configuration = Sandbox.Configuration()
    (configuration.world, configuration.faults) = (given.world, given.faults)
    (configuration.clock, configuration.start.time) = ({ clock.seconds }, start)
    configuration.start.pause = { clock.pass($0) }
    let folder = try ScratchFolder()
    return try await Sandbox(configuration).serving { sandbox in
      let settings = try Settings(sandbox: sandbox, profile: given.profile, isKept: isKept)
      return try await body(
        Stage(clock: clock, sandbox: sandbox, settings: settings, folder: folder))
    }
  }

  /// Runs a workflow as the command would, one call at a time; a refusal is a result as well.
  func run(
    _ workflow: Workflow, files: [String: String] = [:], key: String? = nil,
    _ inputs: () throws -> InputValues
  ) async throws -> Result {
    let store = StateDirectory(path: folder.path + "/state")
    let (last, before) = (await sandbox.calls().last?.number ?? 0, try store.latest())
    let session = RunSession(
      store: store,
      output: RunOutput(
        options: try .parse(["--quiet", "--progress", "none", "--notify", "none"]), reports: [],
        files: store, isRehearsal: true),
      onOverlap: .fail, traces: nil, resumption: Resumption(inputs: try .parse([])),
      time: clock.runTime)
    var outcome = CommandOutcome()
    let messages = await Terminal.keepingMessages {
      do {
        let job = try job(of: workflow, inputs(), files, key)
        outcome.record(try await session.run([job], with: settings, until: Interruption()))
      } catch {
        outcome.recordFailure(error)
      }
    }
    var report: Report?
    if let id = try store.latest(), id != before {
      report = Pipeline.report(of: RunHistory(try store.reading(id).events()))
    }
    return Result(
      exit: Int(outcome.status.rawValue), report: report, messages: messages,
      calls: await sandbox.calls().filter { $0.number > last })
  }

  private func job(
    of workflow: Workflow, _ inputs: InputValues, _ files: [String: String], _ key: String?
  ) throws -> RunJob {
    let given = try folder.write(files)
    try FileCheck.refuseMissing(of: workflow, inputs: inputs, given: given)
    let (items, digests) = try ItemCheck.items(
      of: workflow, inputs: inputs, given: given, datesFrom: clock.runTime.now())
    return RunJob(
      workflow: workflow, inputs: inputs, itemFiles: digests,
      total: WatchedRun.Total(of: workflow, items, shard: nil),
      options: RunOptions(concurrency: 1), key: key, givenFiles: given)
  }
}

/// A temporary folder, which is removed with everything in it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    var template = Array(
      "\(Environment.value("TMPDIR") ?? "/tmp")/graphflow-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(.cannotCreate, "cannot create a temporary folder: \(SystemError.last)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { ScratchFolder.remove(path) }

  /// Writes files, and returns their places by their names.
  func write(_ files: [String: String]) throws -> [String: String] {
    var places: [String: String] = [:]
    for (index, file) in files.sorted(by: { $0.key < $1.key }).enumerated() {
      let place = "\(path)/file-\(index)"
      try writeAtomically(Array(file.value.utf8), to: place)
      places[file.key] = place
    }
    return places
  }

  private static func remove(_ folder: String) {
    for name in (try? FileReading.entries(of: folder)) ?? [] {
      let place = "\(folder)/\(name)"
      if FileStatus(place, ofLink: true)?.isFolder == true { remove(place) } else { unlink(place) }
    }
    rmdir(folder)
  }
}
