import NIOCore
import NIOHTTP1

/// Sets the `Date` of every answer to the world's time, which may differ from this machine's.
///
/// The times in bodies and the `Date` of answers must come from the same clock.
final class DateHandler: ChannelOutboundHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let time: @Sendable () -> Int

  /// - Parameter time: The world's time in seconds since 1970.
  init(time: @Sendable @escaping () -> Int) { self.time = time }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    head.headers.replaceOrAdd(name: "Date", value: GraphTime.http(time()))
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
