internal import NIOCore
internal import NIOHTTP2

/// Closes a connection of HTTP/2 after an error of all of it, such as a flood of frames.
///
/// RFC 9113, section 5.4.1: an endpoint sends GOAWAY and then closes the connection. NIO leaves the
/// second step to its user, and the HTTP client does not take it: requests would wait until their
/// time is over, and everything that still comes in would be kept. GOAWAY is sent for no other
/// reason here, and the errors themselves do not tell whether they are of one stream only.
final class ConnectionErrorHandler: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// The beginning of GOAWAY without further text: eight bytes follow.
  private static let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0]
  private var isFinished = false

  /// Puts a watch between a connection and its frames.
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
      isFinished = true
    }
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    if isFinished { context.close(promise: nil) }
  }
}
