import GraphSandbox
import NIOCore
import NIOPosix

/// A client that writes raw bytes and reads until the server closes the connection.
enum LoopbackClient {
  struct Answer: Sendable {
    let status: Int
    let head: String
    let body: String

    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.drop { $0 != ":" }.dropFirst().drop { $0 == " " } }.map(String.init)
    }
  }

  /// Sends one request with its length and `Connection: close`.
  static func send(
    _ method: String, _ target: String, headers: [String] = [], body: [UInt8] = [],
    to sandbox: RunningSandbox
  ) async throws -> Answer {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: \(sandbox.url.dropFirst(7))\r\n"
    text += "Connection: close\r\nContent-Length: \(body.count)\r\n"
    for header in headers { text += header + "\r\n" }
    return try await send(raw: Array((text + "\r\n").utf8) + body, to: sandbox)
  }

  /// Sends raw bytes; status 0 without an HTTP answer.
  static func send(raw bytes: [UInt8], to sandbox: RunningSandbox) async throws -> Answer {
    let port = Int(sandbox.url.split(separator: ":").last ?? "") ?? 0
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    var received = try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(bytes: bytes))
      outbound.finish()
      var received = ByteBuffer()
      do {
        for try await var part in inbound { received.writeBuffer(&part) }
      } catch is IOError {
        // A reset after the answer: the received bytes are kept.
      }
      return received
    }
    let text = received.readString(length: received.readableBytes) ?? ""
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let head = String(parts.first ?? "")
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, head: head, body: parts.count > 1 ? String(parts[1]) : "")
  }
}

extension Sandbox.Configuration {
  /// The configuration of tests, with some values changed.
  static func with(_ change: (inout Self) -> Void) -> Self {
    var configuration = Self()
    configuration.world = .open
    change(&configuration)
    return configuration
  }
}
