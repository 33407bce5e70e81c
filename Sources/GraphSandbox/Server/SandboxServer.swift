import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix

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
  /// Whether `depends_on` may name several operations.
  let takesLists: Bool
  let pageKey = makePageKey()

  /// The longest body that is read: enough for 50 photos of 4 MB.
  static let bodyLimit = 208 << 20

  /// Serves while the body runs; the body receives the address.
  func serving<R: Sendable>(
    _ body: @Sendable @escaping (String) async throws -> R
  ) async throws -> R {
    let (ports, announcement) = AsyncStream.makeStream(of: Int.self)
    let application = application { announcement.yield($0) }
    return try await withThrowingTaskGroup(of: R?.self) { group in
      group.addTask {
        defer { announcement.finish() }
        do {
          try await application.run()
        } catch is CancellationError {
          // Either the group was cancelled, or the server stopped by itself.
        } catch {
          throw SandboxFailure(listeningOn: host, port, failedBy: error)
        }
        try Task.checkCancellation()
        throw SandboxFailure("the sandbox stopped unexpectedly")
      }
      group.addTask {
        var iterator = ports.makeAsyncIterator()
        // The other task throws the reason.
        guard let port = await iterator.next() else { return nil }
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        let url = "http://\(name):\(port)"
        world.setOrigin(url)
        return try await body(url)
      }
      defer { group.cancelAll() }
      while let result = try await group.next() { if let result { return result } }
      throw CancellationError()
    }
  }

  private func application(
    onPort announce: @Sendable @escaping (Int) -> Void
  ) -> Application<CallbackResponder<SandboxContext>> {
    let responder = CallbackResponder<SandboxContext> { request, context in
      if let answer = await pageAnswer(to: request, over: context.channel) {
        return Response(answer, to: request)
      }
      let answer = await answer(to: request)
      guard let fault = answer.delivery else { return Response(answer, to: request) }
      return await Self.deliver(answer, with: fault, to: request, over: context.channel)
    }
    return Application(
      responder: responder, server: .onConnectionThreads { [world] in world.time },
      configuration: .init(address: .hostname(host, port: port), serverName: nil),
      onServerRunning: { announce($0.localAddress?.port ?? port) },
      // The lock serializes the world, but decoding and writing take most of the time.
      eventLoopGroupProvider: .singleton,
      logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
  }

  private func answer(to request: Request) async -> HTTPAnswer {
    var call = HTTPCall(request.head)
    do {
      var body = try await request.body.collect(upTo: Self.bodyLimit)
      call.body = body.readBytes(length: body.readableBytes) ?? []
    } catch is NIOTooManyBytesError {
      return world.answer(GraphCall(refused: .bodyTooLarge, call))
    } catch {
      return world.answer(GraphCall(refused: .bodyUnreadable, call))
    }
    return world.answer(GraphCall(call, takesLists: takesLists))
  }
}

/// The context of an HTTP request: its connection, which a fault may close.
struct SandboxContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

extension HTTPCall {
  fileprivate init(_ head: HTTPRequest) {
    self.init(
      method: head.method.rawValue, target: head.path ?? "/",
      authorization: head.headerFields[.authorization],
      contentType: head.headerFields[.contentType],
      contentEncoding: head.headerFields[.contentEncoding],
      ifNoneMatch: head.headerFields[.ifNoneMatch])
  }
}

extension Response {
  init(_ answer: HTTPAnswer, to request: Request) {
    var fields = HTTPFields()
    for (name, value) in answer.headers {
      guard let name = HTTPField.Name(name) else { continue }
      fields[name] = value
    }
    // The answer to HEAD has no body: a client would read one as the next answer.
    let body = request.method == .head ? [] : answer.body
    self.init(
      status: .init(code: answer.status), headers: fields,
      body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }
}

extension SandboxFailure {
  /// Why the server cannot listen, with the system's error text.
  fileprivate init(listeningOn host: String, _ port: Int, failedBy error: any Error) {
    guard let number = (error as? IOError)?.errnoCode else {
      self.init("the sandbox cannot listen on \(host):\(port): \(error)")
      return
    }
    let isPortTaken = number == EADDRINUSE
    let reason = isPortTaken ? "port \(port) is in use" : String(cString: strerror(number))
    self.init("the sandbox cannot listen on \(host):\(port): \(reason)", isPortTaken: isPortTaken)
  }
}
