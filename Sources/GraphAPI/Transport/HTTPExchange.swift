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
    var body = AnswerBuffer()
    var size = 0
    var outline: AnswerScanner?

    /// Takes in a part of the body; false if the answer is beyond the limit, or can become nothing
    /// but too large.
    mutating func take(_ part: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
      guard part.count <= limit - size else { return false }
      size += part.count
      if outline == nil, size > HTTPExchange.outlinedSize {
        var outline = AnswerScanner()
        var held = AnswerBuffer()
        for chunk in body.chunks {
          chunk.withUnsafeBufferPointer { outline.add($0, to: &held) }
        }
        self.outline = outline
        body = held
      }
      if outline?.add(part, to: &body) == nil { body.append(part) }
      return outline?.isUnusable != true
    }
  }

  /// What is smaller is no danger, and not worth a look while it comes in: 1 MiB.
  private static let outlinedSize = 1 << 20

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
    let fits = buffer.withUnsafeReadableBytes { bytes in
      state.withLock { $0.take(bytes.assumingMemoryBound(to: UInt8.self), limit: answerLimit) }
    }
    guard fits else { return task.eventLoop.makeFailedFuture(AnswerTooLarge()) }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<WireResponse>) throws -> WireResponse {
    state.withLock { state in
      WireResponse(status: state.status, headers: state.headers, body: state.body.joined)
    }
  }
}

/// The answer went beyond the limit.
struct AnswerTooLarge: Error {}
