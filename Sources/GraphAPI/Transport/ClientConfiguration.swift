internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOSSL

extension HTTPClient.Configuration {
  /// How much is read from a connection at a time, in bytes.
  private static let readingSize = 16 << 10

  /// What every connection is made with, through a proxy or not.
  init(answerLimit: Int, concurrency: Int, trust: TrustedCertificates?) {
    self.init(
      tlsConfiguration: .modern(trust: trust),
      redirectConfiguration: .disallow,
      decompression: .enabled(limit: .size(answerLimit))
    )
    // The default tries for ten seconds to reach a port that refuses.
    connectionPool.retryConnectionEstablishment = false
    connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(concurrency, 1)
    http1_1ConnectionDebugInitializer = { connection in
      Self.limitReads(from: connection).flatMap { HTTP1AnswerCheck.install(in: connection) }
    }
    http2ConnectionDebugInitializer = { connection in
      Self.limitReads(from: connection)
        .flatMap { ConnectionErrorHandler.install(in: connection) }
        .flatMap { GoAwayHandler.install(in: connection) }
    }
    http2StreamChannelDebugInitializer = { HTTP2AnswerCheck.install(in: $0) }
    timeout.connect = .seconds(5)
  }

  /// Bounds what is read from a connection at a time.
  ///
  /// All that one reading unpacks to is held before any of it can be refused: a thousand times as
  /// much as was read. And timeouts are only noticed between two readings.
  private static func limitReads(from connection: any Channel) -> EventLoopFuture<Void> {
    let allocator = FixedSizeRecvByteBufferAllocator(capacity: readingSize)
    return connection.setOption(.recvAllocator, value: allocator)
      .and(connection.setOption(.maxMessagesPerRead, value: 1)).map { _, _ in }
  }
}

extension TLSConfiguration {
  /// TLS 1.2 with the ciphers that are not obsolete, and TLS 1.3.
  ///
  /// RFC 8996 forbids TLS 1.0 and 1.1. Without forward secrecy a stolen key opens what was recorded
  /// earlier, and CBC has been broken time and again: RFC 9325, section 4.2, recommends these. The
  /// ciphers of TLS 1.3 cannot be chosen, and need not be.
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
  /// A proxy, with what it wants to know of its user.
  init(_ proxy: HTTPProxy) {
    self = .server(
      host: proxy.host,
      port: proxy.port,
      authorization: proxy.credentials.map { .basic(username: $0.user, password: $0.password) }
    )
  }
}
