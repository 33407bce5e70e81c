internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// A transport over the network, with persistent connections (HTTP/2 if offered, or HTTP/1.1).
///
/// It never sends a request twice, follows no redirects, and limits an answer to 160 MiB after
/// decompression.
public struct HTTPClientTransport: Transport {
  /// One event loop for all connections, so that "head sent" and "deadline exceeded" are reported in
  /// the order in which they happened: it must be certain that nothing was sent.
  private let eventLoop: any EventLoop
  private let direct: HTTPClient
  private let proxied: HTTPClient?
  private let route: HTTPRoute
  private let answerLimit: Int

  /// The largest answer after decompression, in bytes: 160 MiB.
  package static let standardAnswerLimit = 160 << 20
  /// How long `close` waits for connections; the end of the process closes the remaining ones.
  private static let shutdownTimeLimit = TimeAmount.seconds(2)

  private init(concurrency: Int, answerLimit: Int, route: HTTPRoute) {
    let eventLoop = HTTPClient.defaultEventLoopGroup.next()
    var configuration = HTTPClient.Configuration(
      answerLimit: answerLimit, concurrency: concurrency, trust: route.trust)
    direct = HTTPClient(eventLoopGroup: eventLoop, configuration: configuration)
    configuration.proxy = route.proxy.map { .init($0) }
    proxied = configuration.proxy.map { _ in
      HTTPClient(eventLoopGroup: eventLoop, configuration: configuration)
    }
    self.eventLoop = eventLoop
    self.route = route
    self.answerLimit = answerLimit
  }

  /// Runs a body with a transport, and closes its connections afterwards, for at most two seconds.
  ///
  /// The transport uses no proxy and trusts the system's certificates.
  ///
  /// - Parameter body: what is done with the transport, which must not be used afterwards.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws.
  public static func withTransport<Result>(
    _ body: (HTTPClientTransport) async throws -> Result
  ) async throws -> Result { try await withTransport(route: HTTPRoute(), body) }

  /// Runs a body with a transport, and closes its connections afterwards, for at most two seconds.
  ///
  /// The concurrency is the number of HTTP/1.1 connections to one host that may be open at a time.
  package static func withTransport<Result>(
    route: HTTPRoute, concurrency: Int = 8, answerLimit: Int = standardAnswerLimit,
    _ body: (HTTPClientTransport) async throws -> Result
  ) async throws -> Result {
    let transport = HTTPClientTransport(
      concurrency: concurrency, answerLimit: answerLimit, route: route)
    do {
      let result = try await body(transport)
      await transport.close()
      return result
    } catch {
      await transport.close()
      throw error
    }
  }

  private func close() async {
    let closed = eventLoop.makePromise(of: Void.self)
    let limit = eventLoop.scheduleTask(in: Self.shutdownTimeLimit) { closed.succeed() }
    let clients = [direct, proxied].compactMap(\.self)
    EventLoopFuture.andAllComplete(clients.map { $0.shutdown() }, on: eventLoop)
      .whenComplete { _ in closed.succeed() }
    try? await closed.futureResult.get()
    limit.cancel()
  }

  /// Sends a request once.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - timeout: the time for the whole exchange, from connecting to the last byte of the answer.
  /// - Returns: the answer, with any status.
  /// - Throws: `TransportFailure` if there is no complete answer.
  public func send(
    _ request: WireRequest, timeout: Duration
  ) async throws(TransportFailure) -> WireResponse {
    guard !Task.isCancelled else { throw .cancelled(wasSent: false) }
    let exchange = HTTPExchange(answerLimit: answerLimit)
    var proxy: HTTPProxy?
    do {
      let deadline = NIODeadline.now() + TimeAmount(timeout)
      let request = try Self.clientRequest(request)
      proxy = route.proxy(forSecure: request.useTLS, host: request.host, port: request.port)
      let client = proxy == nil ? direct : proxied ?? direct
      // Started on the event loop: from another thread each of the client's steps would wake it.
      let answer = eventLoop.flatSubmit {
        exchange.start(client.execute(request: request, delegate: exchange, deadline: deadline))
      }
      return try await withTaskCancellationHandler {
        try await answer.get()
      } onCancel: {
        // After the start, which the event loop may not have reached yet.
        eventLoop.execute { exchange.cancel() }
      }
    } catch {
      throw TransportFailure(
        error, wasSent: exchange.wasSent, isCancelled: Task.isCancelled, proxy: proxy)
    }
  }

  private static func clientRequest(_ request: WireRequest) throws -> HTTPClient.Request {
    var headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
    if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "graphflow") }
    headers.add(name: "Accept-Encoding", value: "gzip")
    return try HTTPClient.Request(
      url: request.url, method: HTTPMethod(rawValue: request.method), headers: headers,
      body: request.body.isEmpty ? nil : .byteBuffer(ByteBuffer(bytes: request.body)))
  }
}
