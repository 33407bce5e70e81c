import GraphFlow
import Synchronization

/// Parallel work on threads of its own.
///
/// Dispatch, and so tasks, would wait for ever for a thread where the system allows no further one.
enum Parallel {
  /// More threads than this would only wait for the disk.
  private static let maximumThreadCount = 16

  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The results of `work` for 0 up to `count`, in order, made by as many threads as processors.
  static func map<Result: Sendable>(
    _ count: Int, alone: Set<Int> = [], _ work: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let shared = (0..<count).filter { !alone.contains($0) }
    let job = Job<Result>(waiting: shared, count: count)
    let run: @Sendable () -> Void = {
      while let index = job.state.withLock({ $0.waiting.popFirst() }) {
        let result = work(index)
        job.state.withLock { $0.results[index] = result }
      }
    }
    var others: [SystemThread] = []
    for _ in 1..<max(1, min(shared.count, processorCount, maximumThreadCount)) {
      guard let thread = SystemThread(run) else { break }
      others.append(thread)
    }
    run()
    for thread in others { thread.join() }
    job.state.withLock { $0.waiting = alone.sorted()[...] }
    run()
    return job.state.withLock { $0.results.compactMap(\.self) }
  }

  /// What the threads share: the indices that wait, and the results.
  private final class Job<Result: Sendable>: Sendable {
    let state: Mutex<(waiting: ArraySlice<Int>, results: [Result?])>

    init(waiting: [Int], count: Int) {
      state = Mutex((waiting[...], Array(repeating: nil, count: count)))
    }
  }
}
