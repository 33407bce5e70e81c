internal import NIOCore
internal import NIOHTTP1

/// Rejects answers that would crash the HTTP client, on an HTTP/1.1 connection: see ``AnswerStatus``.
final class HTTP1AnswerCheck: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  private var isBroken = false

  /// Adds the check after the decoder of a connection.
  static func install(in channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      try pipeline.addHandler(HTTP1AnswerCheck(), position: .after(decoder))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isBroken else { return }
    var status = AnswerStatus.final
    if case .head(let head) = unwrapInboundIn(data) { status = AnswerStatus(head.status.code) }
    switch status {
    case .final: context.fireChannelRead(data)
    case .interim: break
    case .unusable:
      isBroken = true
      context.fireErrorCaught(UnusableStatus())
    }
  }
}
