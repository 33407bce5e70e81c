internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOSSL

extension HTTPClient.Configuration {
  /// The size of a read from a connection, in bytes.
  private static let readSize = 32 << 10

  /// Makes the configuration of all connections; a proxy is added separately.
  init(answerLimit: Int, concurrency: Int, trust: TrustedCertificates?) {
    self.init(
      tlsConfiguration: .modern(trust: trust), redirectConfiguration: .disallow,
      decompression: .enabled(limit: .size(answerLimit)))
    // By default the client retries a refused connection for ten seconds.
    connectionPool.retryConnectionEstablishment = false
    connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(concurrency, 1)
    http1_1ConnectionDebugInitializer = { connection in
      Self.limitReads(of: connection).flatMap { HTTP1AnswerCheck.install(in: connection) }
    }
    http2ConnectionDebugInitializer = { connection in
      Self.limitReads(of: connection)
        .flatMap { ConnectionErrorHandler.install(in: connection) }
        .flatMap { GoAwayHandler.install(in: connection) }
    }
    http2StreamChannelDebugInitializer = { HTTP2AnswerCheck.install(in: $0) }
    timeout.connect = .seconds(5)
  }

  /// Limits the bytes that are read from a connection at once.
  ///
  /// One read is decompressed completely, up to a thousand times its size, before any of it can be
  /// rejected. And timeouts are only checked between two reads.
  private static func limitReads(of connection: any Channel) -> EventLoopFuture<Void> {
    let allocator = FixedSizeRecvByteBufferAllocator(capacity: readSize)
    return connection.setOption(.recvAllocator, value: allocator)
      .and(connection.setOption(.maxMessagesPerRead, value: 1)).map { _, _ in }
  }
}

extension TLSConfiguration {
  /// TLS 1.3, and TLS 1.2 without obsolete ciphers.
  ///
  /// RFC 8996 forbids TLS 1.0 and 1.1. Without forward secrecy a stolen key decrypts recorded traffic,
  /// and CBC has been broken repeatedly; RFC 9325, section 4.2, recommends these ciphers. The ciphers
  /// of TLS 1.3 cannot be configured, and need not be.
  fileprivate static func modern(trust: TrustedCertificates?) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = [
      .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
      .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
      .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
      .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    if let trust { configuration.trustRoots = .certificates(trust.certificates) }
    return configuration
  }
}

extension HTTPClient.Configuration.Proxy {
  init(_ proxy: HTTPProxy) {
    self = .server(
      host: proxy.host, port: proxy.port,
      authorization: proxy.credentials.map { .basic(username: $0.user, password: $0.password) })
  }
}
