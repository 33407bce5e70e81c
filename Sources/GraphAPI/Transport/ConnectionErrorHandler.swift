internal import NIOCore
internal import NIOHTTP2

/// Closes an HTTP/2 connection after a connection error, such as a flood of frames.
///
/// RFC 9113, section 5.4.1: an endpoint sends GOAWAY and then closes the connection. NIO leaves the
/// second step to its user, and the HTTP client does not do it: requests would wait until they time
/// out, and everything received in the meantime would be stored. GOAWAY is sent for no other reason
/// here. The errors themselves do not show whether they concern a single stream.
final class ConnectionErrorHandler: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// The start of a GOAWAY frame without debug data; eight bytes follow.
  private static let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0]
  private var hasSentGoAway = false

  /// Adds the handler between a connection and its frame codec.
  static func install(in connection: any Channel) -> EventLoopFuture<Void> {
    connection.eventLoop.makeCompletedFuture {
      let pipeline = connection.pipeline.syncOperations
      let frames = try pipeline.handler(type: NIOHTTP2Handler.self)
      try pipeline.addHandler(ConnectionErrorHandler(), position: .before(frames))
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .byteBuffer(let frame) = unwrapOutboundIn(data),
      frame.readableBytes == Self.goAway.count + 8,
      frame.readableBytesView.starts(with: Self.goAway)
    {
      hasSentGoAway = true
    }
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    if hasSentGoAway { context.close(promise: nil) }
  }
}
