import Synchronization

/// Work on many things at once that needs no tasks.
enum Parallel {
  /// More threads than this would wait for the disk only.
  private static let mostThreads = 16

  /// The results of `work` for 0 up to `count`, in this order, made by as many threads as there are
  /// processors.
  ///
  /// - Parameters:
  ///   - count: How many things there are.
  ///   - alone: Which of them take so much memory that nothing else is under work beside them.
  ///   - work: What is done with each.
  /// - Returns: The results.
  static func map<Result: Sendable>(
    _ count: Int,
    alone: Set<Int> = [],
    _ work: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let shared = (0..<count).filter { !alone.contains($0) }
    let threads = min(shared.count, max(1, processors), mostThreads)
    let job = Job(count: count, work: work)
    job.prepare(shared)
    var others: [pthread_t] = []
    for _ in 1..<max(1, threads) {
      guard let thread = job.start() else { break }
      others.append(thread)
    }
    job.run()
    for thread in others { pthread_join(thread, nil) }
    job.prepare(alone.sorted())
    job.run()
    return job.results
  }

  /// What the threads share: who takes what next, and what came of it.
  private final class Job<Result: Sendable>: Sendable {
    private struct State {
      /// What nobody has taken yet.
      var waiting: ArraySlice<Int> = []
      var results: [Result?]
    }

    private let work: @Sendable (Int) -> Result
    private let state: Mutex<State>

    init(count: Int, work: @escaping @Sendable (Int) -> Result) {
      self.work = work
      state = Mutex(State(results: Array(repeating: nil, count: count)))
    }

    var results: [Result] { state.withLock { $0.results.compactMap(\.self) } }

    func prepare(_ indices: [Int]) { state.withLock { $0.waiting = indices[...] } }

    func run() {
      while let index = state.withLock({ $0.waiting.popFirst() }) {
        let result = work(index)
        state.withLock { $0.results[index] = result }
      }
    }

    /// Starts a thread that works on this job; nil if the system has none to give.
    func start() -> pthread_t? {
      let body = Unmanaged.passRetained(Body { self.run() })
      #if canImport(Glibc)
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, Body.main, body.toOpaque())
      #else
      var created: pthread_t?
      let status = pthread_create(&created, nil, { Body.main($0) }, body.toOpaque())
      guard let thread = created else {
        body.release()
        return nil
      }
      #endif
      guard status == 0 else {
        body.release()
        return nil
      }
      return thread
    }
  }

  /// A closure that C can carry.
  private final class Body: Sendable {
    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      guard let pointer = $0 else { return nil }
      Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
      return nil
    }
  }
}
