import Hummingbird
import Logging
import NIOCore

/// A bare server that reads every request and answers it with the same bytes: what the sandbox's
/// speed is measured against.
public struct ConstantServer: Sendable {
  private let body: [UInt8]

  /// Makes a server that answers with these bytes.
  public init(answering body: [UInt8]) { self.body = body }

  /// Serves on a free loopback port until the task is cancelled; the address is announced once.
  public func run(announcing announce: @Sendable @escaping (String) -> Void) async throws {
    let responder = CallbackResponder<BasicRequestContext> { [body] request, _ in
      _ = try await request.body.collect(upTo: SandboxServer.bodyLimit)
      return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
    let application = Application(
      responder: responder,
      configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
      onServerRunning: { announce("http://127.0.0.1:\($0.localAddress?.port ?? 0)") },
      logger: Logger(label: "constant") { _ in SwiftLogNoOpLogHandler() }
    )
    try await application.run()
  }
}
