import NIOCore
import NIOHTTP1

/// A server on loopback for the redirect of a login dialog.
package enum RedirectServer {
  /// Serves a port, 0 for a free one, while the body runs; the body gets the port.
  ///
  /// A browser's request for `/` is answered with what the closure makes of its query; nil: refused.
  package static func serving<R>(
    port: Int, _ answer: @escaping @Sendable (_ field: (String) -> String?) -> String?,
    _ body: (Int) async throws -> R
  ) async throws -> R {
    let listener = try await SandboxServer.listen(on: "127.0.0.1", port, for: "the login") {
      channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
        try channel.pipeline.syncOperations.addHandler(RedirectHandler(answer))
      }
    }
    defer { listener.close(promise: nil) }
    return try await body(listener.localAddress?.port ?? port)
  }
}

/// Answers each request of a connection with a small page, and closes the connection.
private final class RedirectHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart
  private let answer: (_ field: (String) -> String?) -> String?

  init(_ answer: @escaping (_ field: (String) -> String?) -> String?) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    let url = RelativeURL(head.uri.utf8)
    let text = head.method == .GET && url.path.isEmpty ? answer { url.query[$0] } : nil
    var body = Array("<!DOCTYPE html>\n".utf8)
    HTML.tag(
      "html", at: ["lang": "en"], .tag("title", "graphflow"),
      .tag("p", .text(text ?? "This is not the answer that graphflow waits for."))
    ).write(to: &body)
    let headers: HTTPHeaders = [
      "Content-Type": "text/html; charset=utf-8", "Content-Length": "\(body.count)",
      // The address holds the code.
      "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Connection": "close",
    ]
    let status: HTTPResponseStatus = text == nil ? .badRequest : .ok
    let part = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    let channel = context.channel
    context.write(wrapOutboundOut(.head(part)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }
}
