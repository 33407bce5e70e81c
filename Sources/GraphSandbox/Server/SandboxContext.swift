import Hummingbird
import NIOCore

/// The context of an HTTP request: its connection, which a fault may close.
struct SandboxContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
