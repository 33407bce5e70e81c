import NIOCore
import NIOHTTP1

/// Writes an answer to a connection.
struct AnswerDelivery: Sendable {
  private let answer: HTTPAnswer
  let body: [UInt8]
  /// The world's time: the `Date` of the answer and the times in its body come from the same clock.
  private let time: Int
  private let world: LiveWorld

  init(answer: HTTPAnswer, hasBody: Bool, of world: LiveWorld) {
    self.answer = answer
    self.world = world
    time = world.time
    body = hasBody ? answer.body : []
  }

  var buffer: ByteBuffer { ByteBuffer(bytes: body) }

  func head(length: Int) -> HTTPServerResponsePart {
    var headers = HTTPHeaders()
    headers.reserveCapacity(answer.headers.count + 2)
    for (name, value) in answer.headers { headers.add(name: name, value: value) }
    headers.add(name: "Content-Length", value: String(length))
    headers.add(name: "Date", value: GraphTime.http(time))
    let status = HTTPResponseStatus(statusCode: answer.status)
    return .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))
  }

  /// Writes the answer with a fault of the connection; after an error it is closed.
  func deliver(with fault: CallFault, over channel: any Channel) async throws {
    func write(_ part: HTTPServerResponsePart) async throws {
      try await channel.writeAndFlush(part)
    }
    func write(_ bytes: some Sequence<UInt8>) async throws {
      try await write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    }
    switch fault {
    case .dropped: throw SandboxFailure("the answer is dropped")
    case .cut(let length):
      try await write(head(length: body.count))
      try await write(body.prefix(max(0, length)))
      throw SandboxFailure("the answer is cut")
    case .wrongLength(let difference):
      try await write(head(length: max(0, body.count + difference)))
      try await write(body)
      throw SandboxFailure("the answer has another length")
    case .dripping(let bytes, let pause):
      try await write(head(length: body.count))
      for start in stride(from: 0, to: body.count, by: max(1, bytes)) {
        try await world.pause(for: pause)
        try await write(body[start...].prefix(max(1, bytes)))
      }
    case .padded(let length):
      try await write(head(length: max(body.count, length)))
      try await write(body)
      let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 10)
      for start in stride(from: body.count, to: length, by: blanks.count) {
        try await write(blanks.prefix(length - start))
      }
    case .delayed(let time):
      try? await world.pause(for: time)
      fallthrough
    case .error, .throttled, .page, .partial, .truncated:
      try await write(head(length: body.count))
      try await write(body)
    }
    try await write(.end(nil))
  }
}
