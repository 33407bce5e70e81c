#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A port on loopback that sends an endless or very long answer, at full speed or slowly.
///
/// It has its own thread, because the tests block theirs while they wait for the command.
package final class StreamingPort {
  /// The answer to every request.
  package struct Stream: Sendable {
    /// Sent once.
    package var beginning: [UInt8]
    /// Sent repeatedly, after `beginning`.
    package var unit: [UInt8]
    /// How often `unit` is sent.
    package var times = 1
    /// The pause after each `unit`, in milliseconds.
    package var pause: Int32 = 0
    /// Sent at the end.
    package var end: [UInt8] = []

    package init(
      beginning: [UInt8], unit: [UInt8], times: Int = 1, pause: Int32 = 0, end: [UInt8] = []
    ) {
      self.beginning = beginning
      self.unit = unit
      self.times = times
      self.pause = pause
      self.end = end
    }
  }

  private let port: SilentPort
  private let thread: PortThread

  package init(_ stream: Stream) throws {
    port = try SilentPort()
    let script = Script(listening: port.descriptor, stream: stream)
    thread = try PortThread(for: port) { [script] in script.play() }
  }

  /// Its address.
  package var url: String { port.url }

  private struct Script: Sendable {
    package let listening: Int32
    package let stream: Stream

    package func play() {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        _ = recv(connection, &chunk, chunk.count, 0)
        if answer(on: connection) { shutdown(connection, Int32(SHUT_WR)) }
        waitForClose(of: connection)
        close(connection)
      }
    }

    private func answer(on connection: Int32) -> Bool {
      guard write(stream.beginning, to: connection) else { return false }
      for _ in 0..<stream.times {
        guard write(stream.unit, to: connection) else { return false }
        if stream.pause > 0 { _ = poll(nil, 0, stream.pause) }
      }
      return write(stream.end, to: connection)
    }

    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          send(
            connection, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }
}
