import Synchronization

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
  private let script: Script

  /// Answers with a status line, headers and a body.
  package init(
    status: String = "200 OK", headers: [String] = [], length: Int? = nil, body: String
  ) throws {
    port = try SilentPort()
    let head =
      ["HTTP/1.1 \(status)", "Content-Length: \(length ?? body.utf8.count)", "Connection: close"]
      + headers
    script = Script(
      listening: port.descriptor,
      answer: Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    thread = try PortThread(for: port) { [script] in script.play() }
  }

  /// Its address.
  package var url: String { port.url }

  /// What was sent to it, each request with its head and its body.
  package var requests: [String] { script.requests.withLock(\.self) }

  private final class Script: Sendable {
    private let listening: Int32
    private let answer: [UInt8]
    let requests = Mutex<[String]>([])

    package init(listening: Int32, answer: [UInt8]) {
      self.listening = listening
      self.answer = answer
    }

    package func play() {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { return }
        let request = receiveRequest(from: connection)
        requests.withLock { $0.append(request) }
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        shutdown(connection, Int32(SHUT_WR))
        waitForClose(of: connection)
        close(connection)
      }
    }
  }
}
