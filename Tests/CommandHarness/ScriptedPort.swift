#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A port on loopback that answers every request with the same bytes and closes the connection.
///
/// It has its own thread, because the tests block theirs while they wait for the command.
package final class ScriptedPort {
  private let port: SilentPort
  private let thread: PortThread

  /// Answers with a status line, headers and a body.
  package init(
    status: String = "200 OK", headers: [String] = [], length: Int? = nil, body: String
  ) throws {
    port = try SilentPort()
    let head =
      ["HTTP/1.1 \(status)", "Content-Length: \(length ?? body.utf8.count)", "Connection: close"]
      + headers
    let script = Script(
      listening: port.descriptor,
      answer: Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    thread = try PortThread(for: port) { [script] in script.play() }
  }

  /// Its address.
  package var url: String { port.url }

  private final class Script: Sendable {
    private let listening: Int32
    private let answer: [UInt8]

    package init(listening: Int32, answer: [UInt8]) {
      self.listening = listening
      self.answer = answer
    }

    package func play() {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        // The content of the request does not matter, but it must be read.
        _ = recv(connection, &chunk, chunk.count, 0)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        shutdown(connection, Int32(SHUT_WR))
        waitForClose(of: connection)
        close(connection)
      }
    }
  }
}
