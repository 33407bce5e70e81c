internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// One exchange as the HTTP client reports it: collects the answer, and knows what was sent.
///
/// It is a class because the client demands one; the client calls it on its own threads.
final class HTTPExchange: HTTPClientResponseDelegate {
  private struct State {
    var wasSent = false
    var status = 0
    var headers: [HeaderField] = []
    var body: [UInt8] = []
  }

  private let state = Mutex(State())
  private let answerLimit: Int

  init(answerLimit: Int) {
    self.answerLimit = answerLimit
  }

  /// Whether the request's first byte may have left.
  var wasSent: Bool { state.withLock(\.wasSent) }

  func didSendRequestHead(task: HTTPClient.Task<WireResponse>, _ head: HTTPRequestHead) {
    state.withLock { $0.wasSent = true }
  }

  func didReceiveHead(
    task: HTTPClient.Task<WireResponse>,
    _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
    guard length <= answerLimit else { return task.eventLoop.makeFailedFuture(AnswerTooLarge()) }
    state.withLock { state in
      // What is announced need not come.
      state.body.reserveCapacity(min(max(0, length), 1 << 18))
      state.status = Int(head.status.code)
      state.headers = head.headers.compactMap { HeaderField($0.name, $0.value) }
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<WireResponse>,
    _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let fits = state.withLock { state in
      guard buffer.readableBytes <= answerLimit - state.body.count else { return false }
      state.body.append(contentsOf: buffer.readableBytesView)
      return true
    }
    guard fits else { return task.eventLoop.makeFailedFuture(AnswerTooLarge()) }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<WireResponse>) throws -> WireResponse {
    state.withLock { state in
      WireResponse(status: state.status, headers: state.headers, body: state.body)
    }
  }
}

/// The answer went beyond the limit.
struct AnswerTooLarge: Error {}
