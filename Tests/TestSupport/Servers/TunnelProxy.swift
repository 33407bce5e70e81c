internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A proxy on loopback that opens tunnels with `CONNECT`, and records every byte.
public final class TunnelProxy: Sendable {
  /// Its port.
  public let port: Int
  private let channel: any Channel
  private let seen = Seen()

  /// The traffic through a proxy.
  final class Seen: Sendable {
    private let state = Mutex<(heads: [String], bytes: [UInt8])>(([], []))

    var heads: [String] { state.withLock(\.heads) }
    var bytes: [UInt8] { state.withLock(\.bytes) }

    func add(head: String) { state.withLock { $0.heads.append(head) } }

    func add(_ buffer: ByteBuffer) {
      state.withLock { $0.bytes += Array(buffer.readableBytesView) }
    }
  }

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - authorization: the required `Proxy-Authorization`; nil for none.
  ///   - refusal: the status that refuses every request; nil to open tunnels.
  /// - Throws: if there is no port.
  public init(authorization: String? = nil, refusal: String? = nil) throws {
    channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelOption(.autoRead, value: true)
      .childChannelInitializer { [seen] child in
        child.eventLoop.makeCompletedFuture {
          let entrance = TunnelEntrance(authorization: authorization, refusal: refusal, seen)
          try child.pipeline.syncOperations.addHandler(entrance)
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    port = channel.localAddress?.port ?? 0
  }

  deinit { channel.close(promise: nil) }

  /// Its address.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// The heads of the received requests.
  public var heads: [String] { seen.heads }

  /// All bytes received from both sides.
  public var bytes: [UInt8] { seen.bytes }
}

/// Reads `CONNECT`, and connects the client to the server.
private final class TunnelEntrance: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let authorization: String?
  private let refusal: String?
  private let seen: TunnelProxy.Seen
  private var head = ""
  private var isOpen = false
  private var other: (any Channel)?

  init(authorization: String?, refusal: String?, _ seen: TunnelProxy.Seen) {
    self.authorization = authorization
    self.refusal = refusal
    self.seen = seen
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    seen.add(buffer)
    if let other {
      other.writeAndFlush(buffer, promise: nil)
      return
    }
    head += String(buffer: buffer)
    guard !isOpen, head.hasSuffix("\r\n\r\n") else { return }
    isOpen = true
    seen.add(head: head)
    let isKnown = authorization.map { head.contains("\r\nproxy-authorization: \($0)\r\n") } ?? true
    if let refusal { return refuse(refusal, context) }
    guard isKnown else { return refuse("407 Proxy Authentication Required", context) }
    let target = head.split(separator: " ").dropFirst().first?.split(separator: ":") ?? []
    guard head.hasPrefix("CONNECT "), target.count == 2, let port = Int(target[1]) else {
      return refuse("405 Method Not Allowed", context)
    }
    let near = context.channel
    let far = ClientBootstrap(group: context.eventLoop)
      .channelInitializer { [seen] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(TunnelExit(to: near, seen))
        }
      }
      .connect(host: String(target[0]), port: port)
    far.assumeIsolated().whenComplete { result in
      guard case .success(let channel) = result else {
        self.refuse("502 Bad Gateway", context)
        return
      }
      self.other = channel
      self.send("HTTP/1.1 200 Connection established\r\n\r\n", context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    other?.close(promise: nil)
    context.fireChannelInactive()
  }

  private func refuse(_ status: String, _ context: ChannelHandlerContext) {
    send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n", context)
    context.close(promise: nil)
  }

  private func send(_ text: String, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
  }
}

/// Forwards bytes from the server to the client.
private final class TunnelExit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let near: any Channel
  private let seen: TunnelProxy.Seen

  init(to near: any Channel, _ seen: TunnelProxy.Seen) {
    self.near = near
    self.seen = seen
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    seen.add(buffer)
    near.writeAndFlush(buffer, promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    near.close(promise: nil)
    context.fireChannelInactive()
  }
}
