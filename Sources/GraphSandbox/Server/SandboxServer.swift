import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
internal import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The HTTP server: it reads requests, passes them to the world, and writes the answers.
struct SandboxServer: Sendable {
  let world: LiveWorld
  let host: String
  let port: Int
  /// The server's certificate and key; nil without TLS.
  let tls: NIOSSLContext?
  /// For callbacks.
  let trust: CallbackTrust
  let control: ControlToken
  /// Whether `depends_on` may name several operations.
  let takesLists: Bool
  /// The key of the page's forms.
  let pageKey = ControlToken.random()
  let life = NIOLockedValueBox(Life())

  /// What ends with the server.
  struct Life {
    /// The open connections, of clients and to callbacks.
    var connections: [ObjectIdentifier: any Channel] = [:]
    /// Wakes up for the next delivery of a webhook.
    var alarm: Scheduled<Void>?
    var isOver = false
  }

  /// The longest body that is read: enough for 50 photos of 4 MB.
  static let bodyLimit = 208 << 20

  init(
    world: LiveWorld, host: String, port: Int, tls: NIOSSLContext?, trust: CallbackTrust,
    control: ControlToken, takesLists: Bool
  ) {
    (self.world, self.host, self.port, self.tls, self.trust) = (world, host, port, tls, trust)
    (self.control, self.takesLists) = (control, takesLists)
  }

  /// The scheme of its addresses.
  var scheme: String { tls == nil ? "http" : "https" }

  /// Serves while the body runs; the body receives the address.
  func serving<R: Sendable>(
    _ body: @Sendable @escaping (String) async throws -> R
  ) async throws -> R {
    let listener = try await listen()
    return try await withThrowingTaskGroup(of: R?.self) { group in
      defer {
        listener.close(promise: nil)
        end()
        group.cancelAll()
      }
      group.addTask {
        try? await listener.closeFuture.get()
        try Task.checkCancellation()
        throw SandboxFailure("the sandbox stopped unexpectedly")
      }
      // The certificate holds no address.
      let isLocal = tls != nil && listener.localAddress.map(Self.isLoopback) == true
      let name =
        isLocal ? "localhost" : host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
      let url = "\(scheme)://\(name):\(listener.localAddress?.port ?? port)"
      world.setOrigin(url)
      group.addTask { try await body(url) }
      while let result = try await group.next() { if let result { return result } }
      throw CancellationError()
    }
  }

  /// Closes all connections, and opens no others.
  private func end() {
    let life = life.withLockedValue { life in
      life.isOver = true
      return life
    }
    life.alarm?.cancel()
    for connection in life.connections.values { connection.close(promise: nil) }
  }

  /// Closes a connection with the server.
  func register(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let isOver = life.withLockedValue { life in
      life.connections[id] = channel
      return life.isOver
    }
    channel.closeFuture.whenComplete { _ in
      life.withLockedValue { _ = $0.connections.removeValue(forKey: id) }
    }
    if isOver { channel.close(promise: nil) }
  }

  private func listen() async throws -> any Channel {
    try await Self.listen(on: host, port, for: "the sandbox") { channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try pipeline.configureHTTPServerPipeline(withErrorHandling: false)
        // The handler after it limits the size.
        try pipeline.addHandler(NIOHTTPRequestDecompressor(limit: .none))
        try pipeline.addHandler(RequestHandler(self, channel))
        register(channel)
      }
    }
  }

  /// Listens, and prepares each connection; `user` is whom a failure names.
  static func listen(
    on host: String, _ port: Int, for user: String,
    preparing prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) async throws -> any Channel {
    // The lock serializes the world, but decoding and writing take most of the time.
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer(prepare)
    do {
      return try await bootstrap.bind(host: host, port: port).get()
    } catch {
      throw SandboxFailure(of: user, listeningOn: host, port, failedBy: error)
    }
  }
}

extension SandboxFailure {
  /// Why the server cannot listen, with the system's error text.
  fileprivate init(
    of user: String, listeningOn host: String, _ port: Int, failedBy error: any Error
  ) {
    guard let number = (error as? IOError)?.errnoCode else {
      self.init("\(user) cannot listen on \(host):\(port): \(error)")
      return
    }
    let isPortTaken = number == EADDRINUSE
    let reason = isPortTaken ? "port \(port) is in use" : String(cString: strerror(number))
    self.init("\(user) cannot listen on \(host):\(port): \(reason)", isPortTaken: isPortTaken)
  }
}
