internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// A server on loopback that speaks HTTP/2 over TLS and follows a script, byte by byte.
///
/// It has its own threads, so that a test may block its thread while it waits for a command.
public final class SecureServer: Sendable {
  /// How the server speaks TLS.
  public struct Security: Sendable {
    /// From the oldest version to the newest.
    public enum Version: Sendable, CaseIterable {
      case tls10, tls11, tls12, tls13
    }

    /// The newest version that it speaks.
    public var newest: Version
    /// The ciphers of TLS 1.2 and older, as OpenSSL writes them; nil for those of NIOSSL.
    public var ciphers: String?

    /// Makes the options.
    public init(newest: Version = .tls13, ciphers: String? = nil) {
      self.newest = newest
      self.ciphers = ciphers
    }
  }

  /// Its port.
  public let port: Int
  private let channel: any Channel
  private let log: HTTP2Log

  /// Starts to serve.
  ///
  /// - Throws: if the certificates cannot be read, or there is no port.
  public init(_ script: HTTP2Script, security: Security = Security()) throws {
    var configuration = try TestCertificates.serverConfiguration()
    configuration.applicationProtocols = ["h2"]
    configuration.minimumTLSVersion = .tlsv1
    configuration.maximumTLSVersion =
      switch security.newest {
      case .tls10: .tlsv1
      case .tls11: .tlsv11
      case .tls12: .tlsv12
      case .tls13: .tlsv13
      }
    if let ciphers = security.ciphers { configuration.cipherSuites = ciphers }
    let context = try NIOSSLContext(configuration: configuration)
    let log = HTTP2Log()
    channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { child in
        child.eventLoop.makeCompletedFuture {
          let pipeline = child.pipeline.syncOperations
          try pipeline.addHandler(NIOSSLServerHandler(context: context))
          try pipeline.addHandler(HTTP2Connection(number: log.nextConnection(), script, log))
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
    port = channel.localAddress?.port ?? 0
    self.log = log
  }

  deinit { channel.close(promise: nil) }

  /// Its address.
  public var url: String { "https://localhost:\(port)" }

  /// The requests whose start was received, in the order of the connections.
  public var requests: [HTTP2Script.Request] { log.requests }

  /// The number of connections that started HTTP/2.
  public var connections: Int { log.connections }

  /// The number of them that are closed.
  public var closedConnections: Int { log.closedConnections }
}

/// What a server received.
final class HTTP2Log: Sendable {
  private struct State {
    var connections = 0
    var closedConnections = 0
    var requests: [HTTP2Script.Request] = []
  }

  private let state = Mutex(State())

  var requests: [HTTP2Script.Request] { state.withLock(\.requests) }
  var connections: Int { state.withLock(\.connections) }
  var closedConnections: Int { state.withLock(\.closedConnections) }

  func noteClosedConnection() { state.withLock { $0.closedConnections += 1 } }

  func nextConnection() -> Int {
    state.withLock { state in
      state.connections += 1
      return state.connections
    }
  }

  func note(_ request: HTTP2Script.Request) {
    state.withLock { state in
      let known = state.requests.firstIndex {
        $0.connection == request.connection && $0.stream == request.stream
      }
      if let known { state.requests[known] = request } else { state.requests.append(request) }
    }
  }
}

extension EventLoopGroup where Self == MultiThreadedEventLoopGroup {
  /// The threads of all servers in tests.
  static var singletonMultiThreadedEventLoopGroup: MultiThreadedEventLoopGroup { .singleton }
}
