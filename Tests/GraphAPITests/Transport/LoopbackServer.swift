import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A server on the loopback interface that sends raw bytes: it reads one HTTP request per connection
/// and then runs a scripted action.
struct LoopbackServer {
  /// The action of a connection after it received the whole request.
  enum Behaviour: Sendable {
    /// Sends these bytes and keeps the connection.
    case answer([UInt8])

    /// Sends bytes that depend on the request, and keeps the connection.
    case reply(@Sendable (_ request: String) -> [UInt8])

    /// Sends these bytes and closes the connection.
    case answerAndClose([UInt8])

    /// Sends these bytes and resets the connection.
    case reset([UInt8])

    /// Sends these bytes after the first received bytes, and closes the connection.
    case interruption([UInt8])

    /// Sends nothing.
    case silence
  }

  /// The address.
  let url: String

  /// The received requests of all connections, in order.
  let received: Received

  /// Runs a body while a server is running.
  static func serving<Result>(
    _ behaviour: Behaviour, _ body: (LoopbackServer) async throws -> Result
  ) async throws -> Result {
    let received = Received()
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { child in
        received.countConnection()
        return child.eventLoop.makeCompletedFuture {
          try child.pipeline.syncOperations.addHandler(
            LoopbackConnection(behaviour: behaviour, received: received))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let server = LoopbackServer(
      url: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)", received: received)
    do {
      let result = try await body(server)
      try await channel.close()
      return result
    } catch {
      try? await channel.close()
      throw error
    }
  }

  /// The received requests, shared between connections.
  final class Received: Sendable {
    private let texts = Mutex<[String]>([])
    private let connectionCount = Mutex(0)

    var connections: Int { connectionCount.withLock(\.self) }

    func countConnection() { connectionCount.withLock { $0 += 1 } }

    var requests: [String] { texts.withLock(\.self) }

    func append(_ text: String) { texts.withLock { $0.append(text) } }
  }
}

extension EventLoopGroup where Self == MultiThreadedEventLoopGroup {
  fileprivate static var singletonMultiThreadedEventLoopGroup: MultiThreadedEventLoopGroup {
    .singleton
  }
}

/// One connection.
private final class LoopbackConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let behaviour: LoopbackServer.Behaviour
  private let received: LoopbackServer.Received
  private var request: [UInt8] = []

  init(behaviour: LoopbackServer.Behaviour, received: LoopbackServer.Received) {
    self.behaviour = behaviour
    self.received = received
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    request += Array(unwrapInboundIn(data).readableBytesView)
    if case .interruption(let bytes) = behaviour {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
      context.close(promise: nil)
    }
    guard isWhole else { return }
    let text = String(decoding: request, as: UTF8.self)
    received.append(text)
    request = []
    switch behaviour {
    case .silence, .interruption: break
    case .reply(let answer):
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer(text))), promise: nil)
    case .answer(let bytes):
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    case .answerAndClose(let bytes):
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
      context.close(promise: nil)
    case .reset(let bytes):
      let provider = context.channel as? any SocketOptionProvider
      if !bytes.isEmpty {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
      }
      // Closing with a linger of zero sends a reset instead of an orderly shutdown.
      _ = provider?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      context.close(promise: nil)
    }
  }

  private var isWhole: Bool {
    guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
    let head = String(decoding: request[..<end.lowerBound], as: UTF8.self).lowercased()
    let length = Int(head.between("content-length: ", "\r\n")) ?? 0
    return request.count - end.upperBound >= length
  }
}
