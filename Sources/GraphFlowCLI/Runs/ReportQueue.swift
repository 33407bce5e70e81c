import Dispatch
import GraphFlow
import Synchronization

/// Writes reports on another thread, during the run.
///
/// Events are passed on in chunks and in their order. Only a few chunks may be queued: a run that
/// is faster than its reports waits for them, so that its memory does not grow.
struct ReportQueue {
  private let worker: Worker
  private var chunk: [RunEvent] = []
  private static let chunkSize = 1000

  /// Continues a report with the events so far.
  init(resumingFrom report: Report) { worker = Worker(ReportFiles(resumingFrom: report)) }

  /// Starts one more file, which begins with the requests that are finished already.
  mutating func add(_ file: ReportFile, resumingFrom report: Report) {
    flush()
    worker.enqueue { $0.add(file, resumingFrom: report) }
  }

  mutating func append(_ event: RunEvent) {
    chunk.append(event)
    if chunk.count >= ReportQueue.chunkSize { flush() }
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
    private let reports: Mutex<ReportFiles>
    private let queue = DispatchQueue(label: "graphflow.reports")
    private let freeSlots = DispatchSemaphore(value: 8)
    /// Written events, to be freed by the thread that allocated them.
    ///
    /// If one thread frees the memory of another, `malloc` makes them wait for each other.
    private let written = Mutex<[[RunEvent]]>([])

    init(_ reports: sending ReportFiles) { self.reports = Mutex(reports) }

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

    func enqueue(_ body: @escaping @Sendable (inout ReportFiles) -> Void) {
      queue.async { [self] in reports.withLock { body(&$0) } }
    }

    func sync<Result: Sendable>(_ body: (inout ReportFiles) -> Result) -> Result {
      queue.sync { reports.withLock { body(&$0) } }
    }
  }
}

/// The reports of a run that are written during the run.
struct ReportFiles {
  private var stream: ReportStream
  /// A file for each output of the stream; nil for one that failed.
  private var files: [(file: AtomicFile, isStepSummary: Bool)?] = []
  private var outcome = CommandOutcome()
  private static let bufferSize = 1 << 16

  init(resumingFrom report: Report) { stream = ReportStream(resumingFrom: report) }

  var report: Report { stream.report }

  /// Starts a file, which begins with the requests that are finished already.
  mutating func add(_ file: ReportFile, resumingFrom report: Report) {
    attempt(file.isStepSummary) { files in
      let opened = try file.open()
      files.stream.add(file.report(), resumingFrom: report)
      files.files.append((opened, file.isStepSummary))
    }
    flush(largerThan: 0)
  }

  mutating func append(_ event: RunEvent) {
    stream.apply(event)
    flush(largerThan: ReportFiles.bufferSize)
  }

  mutating func finish() -> ExitStatus {
    stream.finish()
    flush(largerThan: 0)
    for case (let file, let isStepSummary)? in files {
      attempt(isStepSummary) { _ in try file.finish() }
    }
    files = []
    return outcome.status
  }

  /// Writes to the files; one that fails is reported and no longer written.
  private mutating func flush(largerThan size: Int) {
    for index in stream.outputs.indices where stream.outputs[index].text.count > size {
      // Whole records, so that no secret is cut in two. Secrets recorded meanwhile are masked, too.
      if let (file, isStepSummary) = files[index] {
        let isWritten = attempt(isStepSummary) { files in
          try file.append(ProcessRedactor.redacted(files.stream.outputs[index].text))
        }
        if !isWritten { files[index] = nil }
      }
      stream.outputs[index].text.removeAll(keepingCapacity: true)
    }
  }

  /// Does a part; nobody asked for the summary of a job, so that its failure is only a warning.
  @discardableResult private mutating func attempt(
    _ isStepSummary: Bool, _ body: (inout ReportFiles) throws -> Void
  ) -> Bool {
    do {
      try body(&self)
      return true
    } catch {
      if isStepSummary {
        Terminal.warn("no summary of the job: \(error)")
      } else {
        outcome.recordFailure(error)
      }
      return false
    }
  }
}
