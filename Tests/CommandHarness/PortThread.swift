#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread that serves a port on loopback for as long as this object lives.
///
/// A thread of its own, because the tests block theirs while they wait for the command.
package final class PortThread {
  private let port: SilentPort
  private var thread = pthread_t(bitPattern: 1)

  private final class Work: Sendable {
    package let serve: @Sendable () -> Void

    package init(_ serve: @escaping @Sendable () -> Void) { self.serve = serve }
  }

  /// Serves a port; `serve` ends when the port's `accept` fails.
  ///
  /// - Throws: if the system cannot create a thread.
  package init(for port: SilentPort, _ serve: @escaping @Sendable () -> Void) throws {
    self.port = port
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().serve() }
        return nil
      }, Unmanaged.passRetained(Work(serve)).toOpaque())
    guard result == 0 else { throw ChildProcess.Failure("no thread", result) }
  }

  deinit {
    // Shutting the listening socket down ends the thread's `accept`.
    shutdown(port.descriptor, Int32(SHUT_RDWR))
    pthread_join(thread, nil)
  }
}
