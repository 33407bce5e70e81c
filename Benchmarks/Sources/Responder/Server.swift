#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Answers batches on the loopback address, each after a delay; one thread serves all connections.
///
/// It parses only the ids of the objects, to take little processor time from the client on the same
/// machine.
struct Server: ~Copyable {
  /// The port that it listens on.
  let port: UInt16
  private let listener: Int32
  private let answers: Answers
  private var latency: Latency
  private var connections: [Int32: Request] = [:]
  /// Delayed answers.
  private var waiting: [(time: ContinuousClock.Instant, descriptor: Int32, bytes: [UInt8])] = []

  /// Starts to listen on a free port; nil if the system does not allow it.
  init?(_ answers: Answers, _ latency: Latency) {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 256) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { return nil }
    port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    (self.answers, self.latency) = (answers, latency)
  }

  /// Answers until standard input is closed.
  mutating func serve() {
    while true {
      var polled = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
      polled += ([listener] + connections.keys).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      wait(for: &polled)
      if polled[0].revents != 0 { return }
      if polled[1].revents != 0 { accept() }
      for entry in polled.dropFirst(2) where entry.revents != 0 { read(from: entry.fd) }
      sendWhatIsReady()
    }
  }

  /// Waits until something arrives or an answer is ready.
  private func wait(for polled: inout [pollfd]) {
    // Rounded down: the loop spins for the rest of a millisecond, or every delay would be longer.
    let rest = waiting.map { ContinuousClock.now.duration(to: $0.time) / .milliseconds(1) }.min()
    _ = poll(&polled, nfds_t(polled.count), rest.map { Int32(max(0, $0)) } ?? -1)
  }

  private mutating func accept() {
    #if canImport(Glibc)
    let descriptor = Glibc.accept(listener, nil, nil)
    #else
    let descriptor = Darwin.accept(listener, nil, nil)
    #endif
    guard descriptor >= 0 else { return }
    var isOn: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
    connections[descriptor] = Request()
  }

  private mutating func read(from descriptor: Int32) {
    guard connections[descriptor]?.receive(from: descriptor) == true else {
      return close(descriptor)
    }
    switch connections[descriptor]?.take() {
    case nil: break
    case .delays:
      let text = latency.drawn.map { String($0) }.joined(separator: " ")
      send(
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8),
        to: descriptor
      )
    case .batch(let ids):
      let time = latency.next(at: .now)
      let answer = answers.batch(ids)
      if let time {
        waiting.append((time, descriptor, answer))
      } else {
        send(answer, to: descriptor)
      }
    }
  }

  private mutating func sendWhatIsReady() {
    guard !waiting.isEmpty else { return }
    let now = ContinuousClock.now
    let ready = waiting.filter { $0.time <= now }
    waiting.removeAll { $0.time <= now }
    for answer in ready where connections[answer.descriptor] != nil {
      send(answer.bytes, to: answer.descriptor)
    }
  }

  private mutating func send(_ answer: [UInt8], to descriptor: Int32) {
    let isSent = answer.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let written = write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        guard written > 0 else { return false }
        sent += written
      }
      return true
    }
    if !isSent { close(descriptor) }
  }

  private mutating func close(_ descriptor: Int32) {
    connections[descriptor] = nil
    waiting.removeAll { $0.descriptor == descriptor }
    #if canImport(Glibc)
    Glibc.close(descriptor)
    #else
    Darwin.close(descriptor)
    #endif
  }
}
