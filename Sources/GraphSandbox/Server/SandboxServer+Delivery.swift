import HTTPTypes
import Hummingbird
import NIOCore

extension SandboxServer {
  static func deliver(
    _ answer: HTTPAnswer, with fault: CallFault, to request: Request, over channel: any Channel
  ) async -> Response {
    var response = Response(answer, to: request)
    let body = request.method == .head ? [] : answer.body
    switch fault {
    case .dropped: try? await channel.close()
    case .delayed(let time): try? await Task.sleep(for: time)
    case .cut(let length):
      response.body = ResponseBody(contentLength: body.count) { writer in
        try await writer.write(ByteBuffer(bytes: body.prefix(max(0, length))))
        throw SandboxFailure("the answer is cut")
      }
    case .wrongLength(let difference):
      response.body = ResponseBody(contentLength: max(0, body.count + difference)) { writer in
        try await writer.write(ByteBuffer(bytes: body))
        throw SandboxFailure("the answer has another length")
      }
    case .dripping(let bytes, let pause):
      response.body = ResponseBody(contentLength: body.count) { writer in
        for start in stride(from: 0, to: body.count, by: max(1, bytes)) {
          try await Task.sleep(for: pause)
          try await writer.write(ByteBuffer(bytes: body[start...].prefix(max(1, bytes))))
        }
        try await writer.finish(nil)
      }
    case .padded(let length):
      response.body = padding(body, to: length)
    case .error, .throttled, .page, .partial, .truncated: break
    }
    return response
  }

  private static func padding(_ body: [UInt8], to length: Int) -> ResponseBody {
    ResponseBody(contentLength: max(body.count, length)) { writer in
      try await writer.write(ByteBuffer(bytes: body))
      var rest = length - body.count
      let blanks = ByteBuffer(repeating: UInt8(ascii: " "), count: 64 << 10)
      while rest > 0 {
        var piece = blanks
        try await writer.write(piece.readSlice(length: min(rest, 64 << 10)) ?? ByteBuffer())
        rest -= 64 << 10
      }
      try await writer.finish(nil)
    }
  }
}
