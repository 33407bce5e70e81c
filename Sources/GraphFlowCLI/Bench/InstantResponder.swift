#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Answers every batch at once with as many canned answers as it has operations.
///
/// It knows nothing of Graph and looks at no operation, so that what a run over it takes is the
/// run's own. One thread serves all connections.
struct InstantResponder: ~Copyable {
  /// Where it listens, on the loopback address.
  let port: UInt16
  private let listener: Int32
  /// What a batch of so many operations gets, head and all; the first is for anything else.
  private let answers: [[UInt8]]

  /// Starts to listen, on a port that is free.
  init() throws {
    #if canImport(Glibc)
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let socket = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    listener = socket
    answers = InstantResponder.cannedAnswers
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 64) == 0
          && getsockname(socket, $0, &size) == 0
      }
    }
    guard isListening else {
      throw CommandFailure(.internalError, "the bench cannot listen: \(SystemError.last)")
    }
    port = UInt16(bigEndian: address.sin_port)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(listener) }

  /// Answers until the other end of a pipe is closed.
  func serve(until pipe: Int32) {
    var polled = [pollfd(pipe, for: POLLIN), pollfd(listener, for: POLLIN)]
    var connections: [Int32: Connection] = [:]
    defer { for descriptor in connections.keys { close(descriptor) } }
    while true {
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      if polled[0].revents != 0 { return }
      if polled[1].revents != 0 {
        let accepted = accept(listener, nil, nil)
        if accepted >= 0 {
          var isOn: Int32 = 1
          let size = socklen_t(MemoryLayout<Int32>.size)
          setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
          _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
          connections[accepted] = Connection()
          polled.append(pollfd(accepted, for: POLLIN))
        }
      }
      for index in polled.indices.dropFirst(2).reversed() where polled[index].revents != 0 {
        let descriptor = polled[index].fd
        if connections[descriptor]?.serve(descriptor, answers) != true {
          connections[descriptor] = nil
          close(descriptor)
          polled.remove(at: index)
        }
      }
    }
  }

  /// One connection, and what it has received of a request.
  private struct Connection {
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var count = 0

    /// Takes in what has arrived, and answers if a request is whole; false once it is over.
    mutating func serve(_ descriptor: Int32, _ answers: [[UInt8]]) -> Bool {
      if count == buffer.count { buffer += [UInt8](repeating: 0, count: count) }
      let received = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      guard received > 0 else { return false }
      count += received
      let operations: Int? = buffer.withUnsafeBytes { bytes in
        let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        guard let bodyStart = bytes.end(of: "\r\n\r\n"),
          bytes.count - bodyStart >= bytes.contentLength(before: bodyStart)
        else { return nil }
        return bytes.occurrences(of: "method")
      }
      guard let operations else { return true }
      count = 0
      return send(answers[min(operations, answers.count - 1)], to: descriptor)
    }

    private func send(_ answer: [UInt8], to descriptor: Int32) -> Bool {
      answer.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let written = write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
          guard written > 0 else { return false }
          sent += written
        }
        return true
      }
    }
  }

  private static var cannedAnswers: [[UInt8]] {
    (0...50).map { count in
      let body = body(operations: count)
      let head = """
        HTTP/1.1 200 OK\r
        Content-Type: text/javascript; charset=UTF-8\r
        Content-Length: \(body.count)\r
        \r

        """
      return Array(head.utf8) + body
    }
  }

  /// The body of a batch of so many operations; of a node for none.
  static func body(operations count: Int) -> [UInt8] {
    let body = #"{"id":"100044123456789_1234567","name":"Alex Example of Some Page"}"#
    let escaped = body.replacing("\"", with: "\\\"")
    let item = """
      {"code":200,"headers":[{"name":"Content-Type","value":"text\\/javascript; charset=UTF-8"},\
      {"name":"Facebook-API-Version","value":"v25.0"},{"name":"ETag","value":"\\"2f7d81c4e0\\""}],\
      "body":"\(escaped)"}
      """
    guard count > 0 else { return Array(body.utf8) }
    return Array("[\(repeatElement(item, count: count).joined(separator: ","))]".utf8)
  }
}

extension pollfd {
  fileprivate init(_ descriptor: Int32, for events: Int32) {
    self.init(fd: descriptor, events: Int16(events), revents: 0)
  }
}

extension UnsafeRawBufferPointer {
  /// The position behind a text; nil if it does not occur.
  fileprivate func end(of text: StaticString, from start: Int = 0) -> Int? {
    guard let first = baseAddress else { return nil }
    let size = text.utf8CodeUnitCount
    var position = start
    while position + size <= count {
      let rest = count - position - size + 1
      guard let found = memchr(first + position, Int32(text.utf8Start.pointee), rest) else {
        return nil
      }
      position = UnsafeRawPointer(found) - first
      if memcmp(found, text.utf8Start, size) == 0 { return position + size }
      position += 1
    }
    return nil
  }

  /// How often a text occurs.
  fileprivate func occurrences(of text: StaticString) -> Int {
    var occurrences = 0
    var position = 0
    while let end = end(of: text, from: position) {
      occurrences += 1
      position = end
    }
    return occurrences
  }

  /// The length of the body that a request's head announces; 0 if it announces none.
  fileprivate func contentLength(before bodyStart: Int) -> Int {
    let head = UnsafeRawBufferPointer(rebasing: self[..<bodyStart])
    guard let start = head.end(of: "ontent-Length: ") ?? head.end(of: "ontent-length: ") else {
      return 0
    }
    return head[start...].prefix { (48...57).contains($0) }.reduce(0) { $0 * 10 + Int($1 - 48) }
  }
}
