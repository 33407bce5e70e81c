#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How long this thread has had a processor.
///
/// Tests that hold the cost of work measure it with this: what else the machine does meanwhile, and
/// how long a test waits for its turn, is no merit or fault of the work.
public var processorTime: Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
