#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A thread of its own, for work that must not wait for the threads of tasks.
package struct SystemThread {
  private let thread: pthread_t

  /// Starts a thread, which is then joined or detached; nil if the system refuses.
  package init?(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run))
    #if canImport(Glibc)
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, Body.main, body.toOpaque())
    #else
    var thread: pthread_t?
    let status = pthread_create(&thread, nil, { Body.main($0) }, body.toOpaque())
    #endif
    let started: pthread_t? = thread
    guard status == 0, let started else {
      body.release()
      return nil
    }
    self.thread = started
  }

  /// Waits for the end of the thread.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself.
  package func detach() { pthread_detach(thread) }

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
