import Dispatch
import GraphFlow
import Synchronization

/// Writes the reports as lines on another thread, during the run.
///
/// Events are passed on in chunks and in their order. Only a few chunks may be queued: a run that
/// is faster than its reports waits for them, so that its memory does not grow.
struct LineReportQueue {
  private let worker: Worker
  private var chunk: [RunEvent] = []
  private static let chunkSize = 1000

  /// Starts the files with the events so far.
  init(resumingFrom report: Report, at paths: [String]) {
    worker = Worker(LineReports(resumingFrom: report, at: paths))
  }

  /// Starts one more file, which begins with the requests that are finished already.
  mutating func add(_ path: String, resumingFrom report: Report) {
    flush()
    worker.enqueue { $0.add(path, resumingFrom: report) }
  }

  mutating func append(_ event: RunEvent) {
    chunk.append(event)
    if chunk.count >= LineReportQueue.chunkSize { flush() }
  }

  /// The figures of the run and its first problems, including all events so far.
  mutating func report() -> Report {
    flush()
    return worker.sync { $0.report }
  }

  /// Writes the rest, and gives the files their names.
  mutating func finish() -> ExitStatus {
    flush()
    return worker.sync { $0.finish() }
  }

  private mutating func flush() {
    guard !chunk.isEmpty else { return }
    worker.append(chunk)
    chunk.removeAll(keepingCapacity: true)
  }

  /// The state of the other thread.
  private final class Worker: Sendable {
    private let reports: Mutex<LineReports>
    private let queue = DispatchQueue(label: "graphflow.reports")
    private let freeSlots = DispatchSemaphore(value: 8)
    /// Written events, to be freed by the thread that allocated them.
    ///
    /// If one thread frees the memory of another, `malloc` makes them wait for each other.
    private let written = Mutex<[[RunEvent]]>([])

    init(_ reports: sending LineReports) { self.reports = Mutex(reports) }

    /// Queues events, as soon as a slot is free.
    func append(_ events: [RunEvent]) {
      _ = written.withLock { written in
        defer { written = [] }
        return written
      }
      freeSlots.wait()
      enqueue { [self] reports in
        for event in events { reports.append(event) }
        written.withLock { $0.append(events) }
        freeSlots.signal()
      }
    }

    func enqueue(_ body: @escaping @Sendable (inout LineReports) -> Void) {
      queue.async { [self] in reports.withLock { body(&$0) } }
    }

    func sync<Result: Sendable>(_ body: (inout LineReports) -> Result) -> Result {
      queue.sync { reports.withLock { body(&$0) } }
    }
  }
}

/// The reports of a run that are written as lines during the run.
struct LineReports {
  private var lines: ReportLines
  private var files: [AtomicFile] = []
  private var outcome = CommandOutcome()
  private var text: [UInt8] = []
  private static let bufferSize = 1 << 16

  init(resumingFrom report: Report, at paths: [String]) {
    lines = ReportLines(resumingFrom: report, to: &text)
    text = []
    for path in paths { add(path, resumingFrom: report) }
  }

  var report: Report { lines.report }

  /// Starts a file, which begins with the requests that are finished already.
  mutating func add(_ path: String, resumingFrom report: Report) {
    flush()
    var text: [UInt8] = []
    _ = ReportLines(resumingFrom: report, to: &text)
    outcome.attempt {
      let file = try AtomicFile(at: path)
      try file.append(ProcessRedactor.redacted(text))
      files.append(file)
    }
  }

  mutating func append(_ event: RunEvent) {
    lines.apply(event, to: &text)
    if text.count >= LineReports.bufferSize { flush() }
  }

  mutating func finish() -> ExitStatus {
    lines.finish(to: &text)
    flush()
    for file in files { outcome.attempt { try file.finish() } }
    files = []
    return outcome.status
  }

  /// Writes to all files; a file that fails is reported and no longer written.
  private mutating func flush() {
    // Whole lines, so that no secret is cut in two. Secrets recorded meanwhile are masked, too.
    var shown = ProcessRedactor.redacted(text)
    for (index, file) in files.enumerated().reversed() {
      do {
        try file.append(shown)
      } catch {
        outcome.recordFailure(error)
        files.remove(at: index)
      }
    }
    // While this refers to the text, the text's memory could not be used again.
    shown = []
    text.removeAll(keepingCapacity: true)
  }
}
