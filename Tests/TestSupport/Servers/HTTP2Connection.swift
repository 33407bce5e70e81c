internal import NIOCore

/// One HTTP/2 connection, parsed frame by frame, without decoding the headers.
final class HTTP2Connection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  private let number: Int
  private let script: HTTP2Script
  private let log: HTTP2Log
  private var bytes: [UInt8] = []
  private var hasPreface = false
  private var requests: [UInt32: HTTP2Script.Request] = [:]

  init(number: Int, _ script: HTTP2Script, _ log: HTTP2Log) {
    self.number = number
    self.script = script
    self.log = log
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes += Array(unwrapInboundIn(data).readableBytesView)
    if !hasPreface {
      guard bytes.count >= Self.preface.count else { return }
      hasPreface = true
      bytes.removeFirst(Self.preface.count)
      perform(script.greeting(number), context)
    }
    while let frame = nextFrame() { receive(frame, context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if hasPreface { log.noteClosedConnection() }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private struct Frame {
    let type: UInt8
    let flags: UInt8
    let stream: UInt32
    let payload: [UInt8]
  }

  private func nextFrame() -> Frame? {
    guard bytes.count >= 9 else { return nil }
    let count = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
    guard bytes.count >= 9 + count else { return nil }
    defer { bytes.removeFirst(9 + count) }
    let stream = bytes[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Frame(
      type: bytes[3], flags: bytes[4], stream: stream & 0x7FFF_FFFF,
      payload: Array(bytes[9..<9 + count]))
  }

  private func receive(_ frame: Frame, _ context: ChannelHandlerContext) {
    let isEnd = frame.flags & 1 != 0
    switch frame.type {
    case 4 where !isEnd: perform([.send(HTTP2Frames.frame(4, flags: 1))], context)
    case 6 where !isEnd: perform([.send(HTTP2Frames.frame(6, flags: 1, frame.payload))], context)
    case 1:
      let request = HTTP2Script.Request(connection: number, stream: frame.stream)
      take(request, isEnd, context)
      perform(script.atHead(request), context)
    case 0:
      guard var request = requests[frame.stream] else { return }
      request.body += frame.payload
      take(request, isEnd, context)
    default: break
    }
  }

  private func take(
    _ request: HTTP2Script.Request, _ isWhole: Bool, _ context: ChannelHandlerContext
  ) {
    var request = request
    request.isWhole = isWhole
    requests[request.stream] = request
    log.note(request)
    if isWhole { perform(script.atEnd(request), context) }
  }

  private func perform(_ steps: [HTTP2Script.Step], _ context: ChannelHandlerContext) {
    for step in steps {
      switch step {
      case .send(let bytes):
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
      case .flood(let bytes): flood(bytes, context)
      case .goDeaf: context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
      case .close: context.close(promise: nil)
      }
    }
  }

  private func flood(_ unit: [UInt8], _ context: ChannelHandlerContext) {
    let times = max(1, 65_536 / unit.count)
    let buffer = ByteBuffer(bytes: [[UInt8]](repeating: unit, count: times).joined())
    let channel = context.channel
    pour(buffer, into: channel)
  }

  private func pour(_ buffer: ByteBuffer, into channel: any Channel) {
    channel.writeAndFlush(buffer).assumeIsolated().whenSuccess { self.pour(buffer, into: channel) }
  }
}
