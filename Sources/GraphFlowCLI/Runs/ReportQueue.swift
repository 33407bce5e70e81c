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
  /// The bytes of the bodies in the chunk, and of all since free memory was returned to the system.
  private var (bodySize, freedSize) = (0, 0)
  /// Those of two calls: what is queued stays in the cache of the processor.
  private static let chunkSize = 200
  private static let maximumBodySize = 1 << 20
  private static let maximumFreedSize = 16 << 20

  /// Continues a report with the events so far.
  init(resumingFrom report: Report) { worker = Worker(ReportFiles(resumingFrom: report)) }

  /// Starts one more file, which begins with the requests that are finished already.
  mutating func add(_ file: ReportFile, resumingFrom report: Report) {
    flush()
    worker.enqueue { $0.add(file, resumingFrom: report) }
  }

  mutating func append(_ event: RunEvent) {
    chunk.append(event)
    bodySize += event.bodySize
    if chunk.count >= ReportQueue.chunkSize || bodySize >= ReportQueue.maximumBodySize { flush() }
  }

  /// Writes the requests that were kept, before the next journal of a job.
  mutating func settle(beforeSeveralSessions hasSessions: Bool) {
    flush()
    worker.enqueue { $0.settle(beforeSeveralSessions: hasSessions) }
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
    freedSize += bodySize
    bodySize = 0
    if freedSize >= ReportQueue.maximumFreedSize {
      Heap.returnFreeMemory()
      freedSize = 0
    }
  }

  /// The state of the other thread.
  private final class Worker: Sendable {
    private let reports: Mutex<ReportFiles>
    private let queue = DispatchQueue(label: "graphflow.reports")
    private let freeSlots = DispatchSemaphore(value: 4)
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

extension RunEvent {
  /// The bytes of the answer in it.
  var bodySize: Int { if case .requestEnded(let end) = self { end.body?.count ?? 0 } else { 0 } }
}

/// The reports of a run that are written during the run.
struct ReportFiles {
  private var stream: ReportStream
  /// The files of each output of the stream, without those that failed.
  private var files: [[OpenReport]] = []
  /// The output that is lines of JSON, which are written once for all files that hold them.
  private var lines: Int?
  private var outcome = CommandOutcome()
  private static let bufferSize = 1 << 16

  private struct OpenReport {
    let file: AtomicFile
    /// Nobody asked for the summary of a job, so that its failure is only a warning.
    let isStepSummary: Bool
  }

  init(resumingFrom report: Report) { stream = ReportStream(resumingFrom: report) }

  var report: Report { stream.report }

  /// Starts a file, which begins with the requests that are finished already.
  mutating func add(_ file: ReportFile, resumingFrom report: Report) {
    flush(largerThan: 0)
    // Half of what a large run writes would be the second copy of its report.
    if file.mayBeShared, file.format == .jsonl, let lines,
      files[lines].first?.file.addName(file.path) == true
    {
      return
    }
    do {
      let opened = OpenReport(file: try file.open(), isStepSummary: file.isStepSummary)
      func write(_ text: inout [UInt8]) throws {
        try opened.file.append(ProcessRedactor.redacted(text))
        text.removeAll(keepingCapacity: true)
      }
      var output = try ReportStream.Output(file.report(), resumingFrom: report) { text in
        if text.count > ReportFiles.bufferSize { try write(&text) }
      }
      try write(&output.text)
      if file.format == .jsonl, let lines { return files[lines].append(opened) }
      if file.format == .jsonl { lines = files.count }
      stream.outputs.append(output)
      files.append([opened])
    } catch {
      recordFailure(error, isStepSummary: file.isStepSummary)
    }
  }

  mutating func append(_ event: RunEvent) {
    stream.apply(event)
    flush(largerThan: ReportFiles.bufferSize)
  }

  mutating func settle(beforeSeveralSessions hasSessions: Bool) {
    stream.settle(beforeSeveralSessions: hasSessions)
  }

  mutating func finish() -> ExitStatus {
    stream.finish()
    flush(largerThan: 0)
    for open in files.joined() {
      do { try open.file.finish() } catch {
        recordFailure(error, isStepSummary: open.isStepSummary)
      }
    }
    files = []
    return outcome.status
  }

  /// Writes to the files; one that fails is reported and no longer written.
  private mutating func flush(largerThan size: Int) {
    for index in stream.outputs.indices where stream.outputs[index].text.count > size {
      // Whole records, so that no secret is cut in two. Secrets recorded meanwhile are masked, too.
      let text = ProcessRedactor.redacted(stream.outputs[index].text)
      files[index] = files[index].filter { open in
        do { try open.file.append(text) } catch {
          recordFailure(error, isStepSummary: open.isStepSummary)
          return false
        }
        return true
      }
      stream.outputs[index].text.removeAll(keepingCapacity: true)
    }
  }

  private mutating func recordFailure(_ error: any Error, isStepSummary: Bool) {
    if isStepSummary {
      Terminal.warn("no summary of the job: \(error)")
    } else {
      outcome.recordFailure(error)
    }
  }
}
