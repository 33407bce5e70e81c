/// Stops a run from outside, on SIGINT or SIGTERM.
package struct StopSignal: Sendable {
  private let stream: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  /// Makes a signal that has not been sent yet.
  package init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// Sends the signal; only the first one counts.
  ///
  /// - Parameter exitCode: The exit code: 128 plus the number of the signal.
  package func give(exitCode: Int) {
    continuation.yield(exitCode)
    continuation.finish()
  }

  /// Waits for the signal; `nil` if the waiting task is cancelled first.
  func exitCode() async -> Int? {
    for await exitCode in stream { return exitCode }
    return nil
  }
}
