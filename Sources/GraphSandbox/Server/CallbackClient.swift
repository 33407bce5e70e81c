import NIOCore
import NIOHTTP1
import NIOPosix
internal import NIOSSL

/// Sends one request to a callback over a connection of its own, and passes the reply on.
final class CallbackClient: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: CallbackRequest
  private let reply: EventLoopPromise<CallbackReply>
  private var head: HTTPResponseHead?
  private var body: [UInt8] = []
  private var alarm: Scheduled<Void>?

  /// As much of a reply is read: more than a challenge and the beginning of an error page.
  private static let bodyLimit = 1 << 16

  private init(_ request: CallbackRequest, _ reply: EventLoopPromise<CallbackReply>) {
    (self.request, self.reply) = (request, reply)
  }

  /// Sends a request; `opened` gets the connection, and may close it.
  static func send(
    _ request: CallbackRequest, trust: CallbackTrust, on loop: any EventLoop,
    opened: @Sendable @escaping (any Channel) -> Void
  ) -> EventLoopFuture<CallbackReply> {
    let reply = loop.makePromise(of: CallbackReply.self)
    let (host, port) = (request.callback.host, request.callback.port)
    ClientBootstrap(group: loop).connectTimeout(.seconds(Int64(CallbackReply.timeLimit)))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          opened(channel)
          if request.callback.isSecure {
            try channel.pipeline.syncOperations.addHandler(trust.handler(for: host))
          }
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(CallbackClient(request, reply))
        }
      }
      .connect(host: host, port: port).whenFailure { _ in
        reply.succeed(.failed(code: 7, reason: "Failed to connect to \(host) port \(port)"))
      }
    return reply.futureResult
  }

  func channelActive(context: ChannelHandlerContext) {
    // A name may lead anywhere.
    guard request.mayLeave || context.channel.remoteAddress.map(SandboxServer.isLoopback) == true
    else { return fail(7, "\(request.callback.host) is not on this machine", context) }
    var headers = HTTPHeaders([
      ("Host", request.callback.authority), ("Accept", "*/*"), ("Connection", "close"),
    ])
    for (name, value) in request.headers.sorted(by: <) { headers.add(name: name, value: value) }
    let length = request.body.count
    if request.method == "POST" { headers.add(name: "Content-Length", value: String(length)) }
    let head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: request.target,
      headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let body = ByteBuffer(bytes: request.body)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    alarm = context.eventLoop.assumeIsolated().scheduleTask(
      in: .seconds(Int64(CallbackReply.timeLimit))
    ) {
      self.fail(28, "Operation timed out after \(CallbackReply.timeLimit) seconds", context)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let part):
      body += part.readableBytesView.prefix(Self.bodyLimit - body.count)
      if body.count == Self.bodyLimit { finish(context) }
    case .end: finish(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(52, "Empty reply from server", context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      fail(60, "SSL certificate problem: \(request.callback.host) is not trusted", context)
    default: fail(56, "The reply cannot be read", context)
    }
  }

  private func finish(_ context: ChannelHandlerContext) {
    guard let head else { return }
    reply.succeed(
      .answered(
        status: Int(head.status.code), reason: head.status.reasonPhrase,
        body: String(decoding: body, as: UTF8.self)))
    close(context)
  }

  /// Ends without a reply; after one it does nothing.
  private func fail(_ code: Int, _ reason: String, _ context: ChannelHandlerContext) {
    reply.succeed(.failed(code: code, reason: reason))
    close(context)
  }

  private func close(_ context: ChannelHandlerContext) {
    alarm?.cancel()
    context.close(promise: nil)
  }
}
