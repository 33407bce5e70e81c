import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Collects the requests of a connection and writes their answers, one after the other, on the thread
/// that reads and writes its bytes.
///
/// An answer takes microseconds, less than passing it to another thread and its bytes back.
final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let server: SandboxServer
  /// Whether the client is on this machine.
  private let isLocal: Bool
  /// The request whose body is read; nil if it has its answer.
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  /// When the last answer is written.
  private var lastAnswer: EventLoopFuture<Void>?

  init(_ server: SandboxServer, _ channel: any Channel) {
    self.server = server
    isLocal = channel.remoteAddress.map(SandboxServer.isLoopback) ?? false
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
    case .body(let part):
      guard let head else { return }
      body += part.readableBytesView
      guard body.count > SandboxServer.bodyLimit else { return }
      finish(head, .failure(.bodyTooLarge), context)
    case .end:
      guard let head else { return }
      finish(head, .success(body), context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A body that ends too early, or continues after its end, has an error of another type.
    let isOfBody =
      error is NIOHTTPDecompression.DecompressionError
      || error is NIOHTTPDecompression.ExtraDecompressionError
    if isOfBody, let head {
      return finish(head, .failure(.bodyUnreadable), context)
    }
    guard error is HTTPParserError else { return context.close(promise: nil) }
    let answer = HTTPAnswer(status: 400, headers: [("Connection", "close")], body: [])
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "", headers: ["Connection": "close"])
    write(answer, to: request, context, begin(context))
  }

  /// A client that sends nothing more still receives its answers.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    let channel = context.channel
    guard let lastAnswer else { return context.close(promise: nil) }
    lastAnswer.whenComplete { _ in channel.close(promise: nil) }
  }

  private func finish(
    _ request: HTTPRequestHead, _ body: Result<[UInt8], GraphFault>,
    _ context: ChannelHandlerContext
  ) {
    let written = begin(context)
    switch server.reception(of: request, body, isLocal: isLocal) {
    case .answered(let answer): write(answer, to: request, context, written)
    case .call(let received):
      let handshakes = server.world.handshakes(for: received.call)
      guard !handshakes.isEmpty else {
        return write(server.answer(to: received), to: request, context, written)
      }
      // The callback may take its time, and the thread serves others.
      server.make(handshakes, on: context.eventLoop).assumeIsolated().whenSuccess { handshakes in
        var received = received
        received.call.handshakes = handshakes
        self.write(self.server.answer(to: received), to: request, context, written)
      }
    }
  }

  /// Begins an answer, which is written when the promise is kept.
  private func begin(_ context: ChannelHandlerContext) -> EventLoopPromise<Void> {
    (head, body) = (nil, [])
    let written = context.eventLoop.makePromise(of: Void.self)
    lastAnswer = written.futureResult
    return written
  }

  private func write(
    _ answer: HTTPAnswer, to request: HTTPRequestHead, _ context: ChannelHandlerContext,
    _ written: EventLoopPromise<Void>
  ) {
    let channel = context.channel
    // An answer to HEAD has no body: a client would read one as the next answer.
    let delivery = AnswerDelivery(
      answer: answer, hasBody: request.method != .HEAD, of: server.world)
    if let fault = answer.delivery {
      written.completeWithTask { try await delivery.deliver(with: fault, over: channel) }
    } else {
      context.write(wrapOutboundOut(delivery.head(length: delivery.body.count)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(delivery.buffer))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
    let closes = request.headers.first(name: "connection") == "close"
    written.futureResult.whenComplete { result in
      if case .failure = result { return channel.close(promise: nil) }
      if closes { channel.close(mode: .output, promise: nil) }
    }
  }
}
