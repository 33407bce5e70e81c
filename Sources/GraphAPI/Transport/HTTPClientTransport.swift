internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression

/// Real HTTP, with connections kept open between calls (HTTP/1.1, and HTTP/2 where offered).
///
/// Nothing is sent twice, no redirect is followed, and no answer grows beyond a limit.
public struct HTTPClientTransport: Transport {
  private let client: HTTPClient
  private let answerLimit: Int

  /// How large an answer may be after unpacking, in bytes: 160 MiB.
  public static let standardAnswerLimit = 160 << 20

  /// How much is read from a connection at a time, in bytes.
  private static let readingSize = 16 << 10

  /// Runs a body with a transport, and closes its connections afterwards.
  ///
  /// - Parameters:
  ///   - concurrency: how many HTTP/1.1 connections to one host may be open at a time.
  ///   - answerLimit: how large an answer may be after unpacking, in bytes.
  ///   - body: what is done with the transport, which must not be used after it.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws.
  public static func withTransport<Result>(
    concurrency: Int = 8,
    answerLimit: Int = standardAnswerLimit,
    _ body: (HTTPClientTransport) async throws -> Result
  ) async throws -> Result {
    let transport = HTTPClientTransport(
      // One event loop for all, so that "the head was sent" and "the time is over" come in the
      // order in which they happened: that nothing was sent must be certain.
      client: HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(),
        configuration: configuration(concurrency, answerLimit)
      ),
      answerLimit: answerLimit
    )
    do {
      let result = try await body(transport)
      try? await transport.client.shutdown()
      return result
    } catch {
      try? await transport.client.shutdown()
      throw error
    }
  }

  /// Sends a request once.
  public func send(
    _ request: WireRequest,
    timeout: Duration
  ) async throws(TransportFailure)
    -> WireResponse
  {
    guard !Task.isCancelled else { throw .cancelled(wasSent: false) }
    let exchange = HTTPExchange(answerLimit: answerLimit)
    do {
      let deadline = NIODeadline.now() + TimeAmount(timeout)
      let task = client.execute(
        request: try Self.clientRequest(request),
        delegate: exchange,
        deadline: deadline
      )
      return try await withTaskCancellationHandler {
        try await task.get()
      } onCancel: {
        task.cancel()
      }
    } catch {
      throw TransportFailure(error, wasSent: exchange.wasSent)
    }
  }

  private static func clientRequest(_ request: WireRequest) throws -> HTTPClient.Request {
    var headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
    if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "graphflow") }
    headers.add(name: "Accept-Encoding", value: "gzip")
    return try HTTPClient.Request(
      url: request.url,
      method: HTTPMethod(rawValue: request.method),
      headers: headers,
      body: request.body.isEmpty ? nil : .byteBuffer(ByteBuffer(bytes: request.body))
    )
  }

  private static func configuration(
    _ concurrency: Int,
    _ answerLimit: Int
  ) -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      decompression: .enabled(limit: .size(answerLimit))
    )
    // The default tries for ten seconds to reach a port that refuses.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(concurrency, 1)
    // All that one reading unpacks to is held before any of it can be refused: a thousand times as
    // much as was read.
    configuration.http1_1ConnectionDebugInitializer = { channel in
      channel.setOption(
        .recvAllocator,
        value: FixedSizeRecvByteBufferAllocator(capacity: readingSize)
      )
      .and(channel.setOption(.maxMessagesPerRead, value: 1)).map { _, _ in }
    }
    // Closing the client waits for connections under way, so this bounds the end of a run too.
    configuration.timeout.connect = .seconds(5)
    return configuration
  }
}
