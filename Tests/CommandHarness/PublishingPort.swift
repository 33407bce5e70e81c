import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A port on loopback that publishes posts, and loses answers if a test asks for it.
///
/// It answers one request at a time, each on its own connection, on its own thread. Every post
/// creates a node with the text `hello`; every other request reads the feed.
package final class PublishingPort {
  /// What happens to a post.
  package enum Fate: Sendable {
    /// Published and answered.
    case answered
    /// Published, but the connection closes without an answer.
    case cut
    /// Not published, and the connection closes without an answer.
    case swallowed
    /// Published, but never answered.
    case held
  }

  private let port: SilentPort
  private let script: Script
  private let thread: PortThread

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - fates: what happens to the first posts; later ones are published and answered.
  ///   - blindReads: the number of reads that return nothing, as reads lag behind posts.
  /// - Throws: if the system cannot provide a port or a thread.
  package init(_ fates: [Fate], blindReads: Int = 0) throws {
    port = try SilentPort()
    script = try Script(listening: port.descriptor, fates, blindReads)
    thread = try PortThread(for: port) { [script] in script.play() }
  }

  /// The variables that make a command use this server.
  package var environment: [String: String] {
    ["GRAPHFLOW_GRAPH_URL": port.url, "GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
  }

  /// Waits until a post is held back.
  ///
  /// - Throws: after two minutes.
  package func waitUntilHeld() throws {
    var waiting = pollfd(fd: script.held.reading, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 120_000) > 0 else {
      throw ChildProcess.Failure("nothing was posted", ETIMEDOUT)
    }
  }

  /// Its address.
  package var url: String { port.url }

  /// The number of published posts.
  package var published: Int { script.posts.withLock { $0.count } }

  /// All received bytes, headers and bodies.
  package var received: String { script.received.withLock { $0 } }

  /// The number of received requests to post.
  package var attempts: Int { script.attempts.withLock { $0 } }

  private final class Script: Sendable {
    /// When each post was published, in seconds since 1970.
    package let posts = Mutex<[Int]>([])
    package let attempts = Mutex(0)
    package let received = Mutex("")
    /// Receives a byte for each post that is held back.
    package let held: (reading: Int32, writing: Int32)
    private let listening: Int32
    private let fates: [Fate]
    private let blindReads: Mutex<Int>

    package init(listening: Int32, _ fates: [Fate], _ blindReads: Int) throws {
      held = try ChildProcess.makePipe()
      self.listening = listening
      self.fates = fates
      self.blindReads = Mutex(blindReads)
    }

    deinit {
      close(held.reading)
      close(held.writing)
    }

    package func play() {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { return }
        let request = receiveRequest(from: connection)
        received.withLock { $0 += request }
        if let answer = answer(to: request, on: connection) {
          let text =
            "HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\nConnection: close\r\n\r\n"
            + answer
          _ = send(connection, Array(text.utf8), text.utf8.count, Int32(MSG_NOSIGNAL))
          shutdown(connection, Int32(SHUT_WR))
          waitForClose(of: connection)
        }
        close(connection)
      }
    }

    /// The answer; nil if there is none.
    private func answer(to request: String, on connection: Int32) -> String? {
      guard !request.isEmpty else { return nil }
      let isBatch = request.contains("batch=")
      let isPost = isBatch ? request.contains("%22POST%22") : request.hasPrefix("POST")
      let body = isPost ? post(on: connection) : feed()
      guard let body else { return nil }
      guard isBatch else { return body }
      let escaped = body.replacing("\"", with: "\\\"")
      return "[{\"code\":200,\"body\":\"\(escaped)\"}]"
    }

    private func post(on connection: Int32) -> String? {
      let number = attempts.withLock { count in
        count += 1
        return count
      }
      let fate = number <= fates.count ? fates[number - 1] : .answered
      if fate == .swallowed { return nil }
      let id = posts.withLock { posts in
        posts.append(time(nil))
        return posts.count
      }
      if fate == .held {
        _ = write(held.writing, [1], 1)
        waitForClose(of: connection)
      }
      return fate == .answered ? "{\"id\":\"1_\(id)\"}" : nil
    }

    private func feed() -> String {
      let isBlind = blindReads.withLock { count in
        count -= 1
        return count >= 0
      }
      let posts = isBlind ? [] : posts.withLock { $0 }
      let nodes = posts.enumerated().map { index, time in
        "{\"id\":\"1_\(index + 1)\",\"message\":\"hello\",\"created_time\":\(time)}"
      }
      return "{\"data\":[\(nodes.reversed().joined(separator: ","))]}"
    }
  }
}
