internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// Rejects answers that would crash the HTTP client, on an HTTP/2 stream.
///
/// It also reports whether the server has proved that it did not process the request.
final class HTTP2AnswerCheck: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload

  private var isBroken = false
  private var isAnswered = false

  /// Adds the check at the start of a stream's pipeline.
  static func install(in stream: any Channel) -> EventLoopFuture<Void> {
    stream.eventLoop.makeCompletedFuture {
      try stream.pipeline.syncOperations.addHandler(HTTP2AnswerCheck(), position: .first)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isBroken else { return }
    var status = AnswerStatus.final
    if case .headers(let frame) = unwrapInboundIn(data) {
      isAnswered = true
      // Trailers have no status.
      if let text = frame.headers.first(name: ":status") { status = AnswerStatus(text) }
    }
    switch status {
    case .final: context.fireChannelRead(data)
    case .interim: break
    case .unusable:
      isBroken = true
      context.fireErrorCaught(UnusableStatus())
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isAnswered, let closed = error as? NIOHTTP2Errors.StreamClosed,
      let lastStream = GoAwayHandler.lastStream(of: context.channel.parent),
      closed.streamID > lastStream
    else { return context.fireErrorCaught(error) }
    context.fireErrorCaught(StreamNotProcessed())
  }
}

/// The server closed the connection and stated that it did not process the request.
///
/// Source: RFC 9113, section 6.8: "If the receiver of the GOAWAY has sent data on streams with a
/// higher stream identifier than what is indicated in the GOAWAY frame, those streams are not or will
/// not be processed." A reset of a single stream proves nothing, whatever its reason.
struct StreamNotProcessed: Error {}
