internal import NIOCore
internal import NIOHTTP2

/// Follows how a server announces the end of a connection of HTTP/2 (GOAWAY; RFC 9113, section 6.8).
///
/// The HTTP client does not use such a connection for further requests. It closes it after the last
/// stream, but forgets one that has no stream: its own end would wait for the server then.
final class GoAwayHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias InboundOut = HTTP2Frame

  /// The last stream that the server may have processed; nil until it says so.
  private var lastStream: HTTP2StreamID?
  private var openStreams = 0

  /// Puts a watch at the end of a connection.
  static func install(in connection: any Channel) -> EventLoopFuture<Void> {
    connection.eventLoop.makeCompletedFuture {
      try connection.pipeline.syncOperations.addHandler(GoAwayHandler())
    }
  }

  /// The last stream that the server may have processed; nil if it has not announced an end.
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
