internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The delegate of one HTTP exchange: collects the answer, and records whether the request was sent.
///
/// The client requires a class, and calls it on its own threads.
final class HTTPExchange: HTTPClientResponseDelegate {
  private struct State {
    var task: HTTPClient.Task<WireResponse>?
    var wasSent = false
    var status = 0
    var headers: [HeaderField] = []
    var body = AnswerBuffer()
    var size = 0
    var scanner: AnswerScanner?

    /// Appends a part of the body; false if the answer exceeds the limit or cannot become usable.
    mutating func append(_ part: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
      guard part.count <= limit - size else { return false }
      size += part.count
      if scanner == nil, size > HTTPExchange.unscannedSize {
        var scanner = AnswerScanner()
        var buffer = AnswerBuffer()
        for part in body.parts { part.withUnsafeBufferPointer { scanner.append($0, to: &buffer) } }
        self.scanner = scanner
        body = buffer
      }
      if scanner?.append(part, to: &body) == nil { body.append(part) }
      return scanner?.isUnusable != true
    }
  }

  /// The largest answer that is not scanned while it is received: 1 MiB.
  private static let unscannedSize = 1 << 20

  private let state = Mutex(State())
  private let answerLimit: Int

  init(answerLimit: Int) { self.answerLimit = answerLimit }

  /// Follows the client's task, which has just been started; returns its result.
  func start(_ task: HTTPClient.Task<WireResponse>) -> EventLoopFuture<WireResponse> {
    state.withLock { $0.task = task }
    return task.futureResult
  }

  func cancel() { state.withLock(\.task)?.cancel() }

  /// Whether the request's first byte may have left.
  var wasSent: Bool { state.withLock(\.wasSent) }

  func didSendRequestHead(task: HTTPClient.Task<WireResponse>, _ head: HTTPRequestHead) {
    state.withLock { $0.wasSent = true }
  }

  func didReceiveHead(
    task: HTTPClient.Task<WireResponse>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
    guard length <= answerLimit else { return task.eventLoop.makeFailedFuture(AnswerTooLarge()) }
    state.withLock { state in
      // The announced length need not be true.
      state.body.reserveCapacity(min(max(0, length), 1 << 18))
      state.status = Int(head.status.code)
      state.headers = head.headers.compactMap { HeaderField($0.name, $0.value) }
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<WireResponse>, _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let fits = buffer.withUnsafeReadableBytes { bytes in
      state.withLock { $0.append(bytes.assumingMemoryBound(to: UInt8.self), limit: answerLimit) }
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

struct AnswerTooLarge: Error {}
