import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// A connection that answers its requests on the thread that reads and writes its bytes.
///
/// An answer takes microseconds, less than passing it to another thread and its bytes back.
struct ConnectionChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  /// The world's time in seconds since 1970.
  let time: @Sendable () -> Int

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { [time] value in
      let pipeline = channel.pipeline.syncOperations
      let codec = try pipeline.context(handlerType: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(DateHandler(time: time), position: .before(codec.handler))
      return value
    }
  }

  func handle(value: Base.Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopExecutor(loop: value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }
}

/// Runs tasks on an event loop.
private final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

extension HTTPServerBuilder {
  /// HTTP/1.1, answered on the threads of its connections.
  static func onConnectionThreads(at time: @Sendable @escaping () -> Int) -> HTTPServerBuilder {
    HTTPServerBuilder { ConnectionChannel(base: HTTP1Channel(responder: $0), time: time) }
  }
}
