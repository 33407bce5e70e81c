import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server that takes webhooks: it echoes challenges, answers as the test says, and keeps what it got.
final class WebhookReceiver: Sendable {
  struct Request: Sendable {
    let method: String
    let target: String
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// How it answers.
  enum Behavior: Sendable {
    case echo
    case status(Int)
    case text(String)
    case silence
  }

  private let state = Mutex<(requests: [Request], behaviors: [Behavior], closed: Int)>(([], [], 0))
  private let channel: any Channel
  private let scheme: String

  private init(_ channel: any Channel, scheme: String) {
    (self.channel, self.scheme) = (channel, scheme)
  }

  /// Listens while the body runs; the first requests are answered in the given behaviors, others with
  /// their challenge.
  static func listening<R: Sendable>(
    _ behaviors: [Behavior] = [], tls: NIOSSLContext? = nil,
    _ body: (WebhookReceiver) async throws -> R
  ) async throws -> R {
    let box = Mutex<WebhookReceiver?>(nil)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          channel.closeFuture.whenComplete { _ in
            box.withLock { $0 }?.state.withLock { $0.closed += 1 }
          }
          try channel.pipeline.syncOperations.addHandler(
            Handler { request in box.withLock { $0 }?.take(request) ?? .status(500) })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let receiver = WebhookReceiver(channel, scheme: tls == nil ? "http" : "https")
    receiver.state.withLock { $0.behaviors = behaviors }
    box.withLock { $0 = receiver }
    let result: R
    do { result = try await body(receiver) } catch {
      try await channel.close().get()
      throw error
    }
    try await channel.close().get()
    return result
  }

  var url: String {
    "\(scheme)://\(scheme == "https" ? "localhost" : "127.0.0.1"):\(channel.localAddress?.port ?? 0)/hooks?x=1"
  }

  var requests: [Request] { state.withLock(\.requests) }

  /// How many connections were closed.
  var closed: Int { state.withLock(\.closed) }

  /// The bodies that came, after some number of them.
  func deliveries(_ count: Int) async throws -> [Request] {
    for _ in 0..<500 {
      let found = requests.filter { $0.method == "POST" }
      if found.count >= count { return found }
      try await Task.sleep(for: .milliseconds(10))
    }
    return requests.filter { $0.method == "POST" }
  }

  private func take(_ request: Request) -> Behavior {
    state.withLock { state in
      state.requests.append(request)
      return state.behaviors.isEmpty ? .echo : state.behaviors.removeFirst()
    }
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let take: @Sendable (Request) -> Behavior
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ take: @Sendable @escaping (Request) -> Behavior) { self.take = take }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): (self.head, body) = (head, [])
      case .body(let part): body += part.readableBytesView
      case .end: if let head { answer(head, context) }
      }
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
      let headers = Dictionary(
        head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
      let request = Request(
        method: head.method.rawValue, target: head.uri, headers: headers, body: body)
      var (status, text) = (200, "")
      switch take(request) {
      case .silence: return
      case .status(let code): status = code
      case .text(let given): text = given
      case .echo:
        let challenge = head.uri.split(separator: "&").first { $0.hasPrefix("hub.challenge=") }
        text = String(challenge?.dropFirst(14) ?? "")
      }
      let response = HTTPResponseHead(
        version: .http1_1, status: .init(statusCode: status),
        headers: ["Content-Length": "\(text.utf8.count)"])
      context.write(wrapOutboundOut(.head(response)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}
