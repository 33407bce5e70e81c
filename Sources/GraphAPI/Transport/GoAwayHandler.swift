internal import NIOCore
internal import NIOHTTP2

/// Handles GOAWAY, with which a server announces the end of a connection (RFC 9113, section 6.8).
///
/// The HTTP client does not use such a connection for further requests. It closes the connection after
/// the last stream, but not if there is no stream; its shutdown would then wait for the server.
final class GoAwayHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias InboundOut = HTTP2Frame

  /// The last stream that the server may have processed; nil until GOAWAY was received.
  private var lastStream: HTTP2StreamID?
  private var openStreams = 0

  /// Adds the handler at the end of a connection's pipeline.
  static func install(in connection: any Channel) -> EventLoopFuture<Void> {
    connection.eventLoop.makeCompletedFuture {
      try connection.pipeline.syncOperations.addHandler(GoAwayHandler())
    }
  }

  static func lastStream(of connection: (any Channel)?) -> HTTP2StreamID? {
    let watch = try? connection?.pipeline.syncOperations.handler(type: GoAwayHandler.self)
    return watch?.lastStream
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .goAway(let last, _, _) = unwrapInboundIn(data).payload {
      lastStream = min(lastStream ?? last, last)
      if openStreams == 0 { context.close(promise: nil) }
    }
    context.fireChannelRead(data)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is NIOHTTP2StreamCreatedEvent: openStreams += 1
    case is StreamClosedEvent: openStreams -= 1
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }
}
