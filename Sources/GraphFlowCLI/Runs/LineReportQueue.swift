import Dispatch
import GraphFlow
import Synchronization

/// Has the reports as lines written by another thread, while the run goes on.
///
/// Events are handed over many at a time and in their order. Only a few such lots may wait: a run
/// that is faster than its reports waits for them, so that its memory does not grow.
struct LineReportQueue {
  private let worker: Worker
  /// Events that were not handed over yet.
  private var chunk: [RunEvent] = []

  /// How many events are handed over at a time.
  private static let chunkSize = 1000

  /// Begins the files with what is known so far.
  init(resumingFrom report: Report, at paths: [String]) {
    worker = Worker(LineReports(resumingFrom: report, at: paths))
  }

  /// Begins one more file, in which those requests come first that are over already.
  mutating func add(_ path: String, resumingFrom report: Report) {
    flush()
    worker.enqueue { $0.add(path, resumingFrom: report) }
  }

  /// Takes the next event.
  mutating func append(_ event: RunEvent) {
    chunk.append(event)
    if chunk.count >= LineReportQueue.chunkSize { flush() }
  }

  /// The figures of the run, and its first problems, once all events are in them.
  mutating func report() -> Report {
    flush()
    return worker.sync { $0.report }
  }

  /// Writes what is left, and gives the files their names.
  ///
  /// - Returns: the status of the worst.
  mutating func finish() -> ExitStatus {
    flush()
    return worker.sync { $0.finish() }
  }

  private mutating func flush() {
    guard !chunk.isEmpty else { return }
    worker.append(chunk)
    chunk.removeAll(keepingCapacity: true)
  }

  /// Where the other thread works.
  private final class Worker: Sendable {
    private let reports: Mutex<LineReports>
    private let queue = DispatchQueue(label: "graphflow.reports")
    private let freeSlots = DispatchSemaphore(value: 8)
    /// Events that are in the files, for the run to let go of, which has made them.
    ///
    /// Where one thread frees what another has allocated, `malloc` has them wait for each other.
    private let written = Mutex<[[RunEvent]]>([])

    init(_ reports: sending LineReports) { self.reports = Mutex(reports) }

    /// Puts events in the queue, as soon as there is room.
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

    /// Does something behind what is in the queue.
    func enqueue(_ body: @escaping @Sendable (inout LineReports) -> Void) {
      queue.async { [self] in reports.withLock { body(&$0) } }
    }

    /// Waits for what is in the queue, and does something behind it.
    func sync<Result: Sendable>(_ body: (inout LineReports) -> Result) -> Result {
      queue.sync { reports.withLock { body(&$0) } }
    }
  }
}
