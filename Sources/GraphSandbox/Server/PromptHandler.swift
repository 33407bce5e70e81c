import NIOCore
import NIOHTTP1

/// Answers small calls on the spot, as their last byte comes in; all others it hands on.
///
/// The world answers at once, so there is nothing to wait for; tasks, streams and their hand-overs
/// would take longer than the answer. What is large, broken, for the page, or asked for before
/// an earlier request has its answer goes the long way, which knows all of HTTP.
final class PromptHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    /// The next part is passed on; so is a head that is not for us.
    case passing
    /// A request is coming in that will be answered here.
    case taking(HTTPRequestHead, PromptCall, ByteBuffer)
  }

  private let answer: @Sendable (HTTPCall) -> HTTPAnswer
  private var state = State.passing
  /// How many requests were handed on that have no answer yet.
  private var waiting = 0

  init(answer: @Sendable @escaping (HTTPCall) -> HTTPAnswer) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (state, unwrapInboundIn(data)) {
    case (.passing, .head(let head)):
      guard waiting == 0, context.channel.isWritable, let call = PromptCall(head) else {
        waiting += 1
        return context.fireChannelRead(data)
      }
      state = .taking(head, call, ByteBuffer())
    case (.taking(let head, let call, var body), .body(var part)):
      state = .passing
      if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
      state = .taking(head, call, body)
    case (.taking(_, let call, let body), .end):
      state = .passing
      write(answer(call.whole(with: body)), context)
    case (.passing, _), (.taking, .head): context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { waiting -= 1 }
    context.write(data, promise: promise)
  }

  /// A request that does not end is told of by those who know what to do about it.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    handOn(context)
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    handOn(context)
    context.fireChannelInactive()
  }

  private func handOn(_ context: ChannelHandlerContext) {
    guard case .taking(let head, _, let body) = state else { return }
    state = .passing
    waiting += 1
    context.fireChannelRead(wrapInboundOut(.head(head)))
    if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
  }

  private func write(_ answer: HTTPAnswer, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders()
    headers.reserveCapacity(answer.headers.count + 2)
    for (name, value) in answer.headers { headers.add(name: name, value: value) }
    headers.add(name: "Content-Length", value: String(answer.body.count))
    let head = HTTPResponseHead(
      version: .http1_1,
      status: .init(statusCode: answer.status),
      headers: headers
    )
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !answer.body.isEmpty {
      let body = context.channel.allocator.buffer(bytes: answer.body)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}

/// The head of a request that can be answered on the spot.
private struct PromptCall {
  private var call: HTTPCall

  /// The longest body that is waited for, in bytes.
  private static let bodyLimit = 256 << 10

  /// nil for what needs more than an answer.
  init?(_ head: HTTPRequestHead) {
    guard head.version == .http1_1, head.uri.utf8.first == UInt8(ascii: "/"),
      [.GET, .POST, .DELETE].contains(head.method),
      head.uri == "/" ? head.method == .POST : !SandboxServer.mayBePage(head.uri)
    else { return nil }
    call = HTTPCall(method: head.method.rawValue, target: head.uri)
    var hasLength = head.method != .POST
    for (name, value) in head.headers {
      switch name.utf8.count {
      case 6 where name.isHeader("expect"): return nil
      case 7 where name.isHeader("upgrade"): return nil
      case 10 where name.isHeader("connection"):
        guard value.isHeader("keep-alive") else { return nil }
      case 12 where name.isHeader("content-type"): Self.add(value, to: &call.contentType)
      case 13 where name.isHeader("authorization"): Self.add(value, to: &call.authorization)
      case 13 where name.isHeader("if-none-match"): Self.add(value, to: &call.ifNoneMatch)
      case 14 where name.isHeader("content-length"):
        guard let length = Int(value), length <= Self.bodyLimit else { return nil }
        hasLength = true
      case 16 where name.isHeader("content-encoding"): Self.add(value, to: &call.contentEncoding)
      case 17 where name.isHeader("transfer-encoding"): return nil
      default: break
      }
    }
    guard hasLength else { return nil }
  }

  func whole(with body: ByteBuffer) -> HTTPCall {
    var call = call
    call.body = Array(body.readableBytesView)
    return call
  }

  /// Several fields of one name are one list (RFC 9110 §5.3).
  private static func add(_ value: String, to field: inout String?) {
    field = field.map { $0 + ", " + value } ?? value
  }
}

extension String {
  /// Whether it is this text, which is in lower case, in any case.
  fileprivate func isHeader(_ text: String) -> Bool {
    utf8.count == text.utf8.count && zip(utf8, text.utf8).allSatisfy { $0 | 0x20 == $1 }
  }
}
