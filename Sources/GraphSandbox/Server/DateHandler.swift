import NIOCore
import NIOHTTP1

/// Gives every answer the `Date` of its world, whose clock may be another than this machine's.
///
/// What the world tells of times and what its answers say of the time must be by one clock.
final class DateHandler: ChannelOutboundHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let time: @Sendable () -> Int

  /// - Parameter time: tells the world's time in seconds since 1970.
  init(time: @Sendable @escaping () -> Int) { self.time = time }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    head.headers.replaceOrAdd(name: "Date", value: GraphTime.http(time()))
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
