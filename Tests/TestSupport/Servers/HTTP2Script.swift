/// The behavior of a server on its HTTP/2 connections.
public struct HTTP2Script: Sendable {
  /// The received part of a request.
  public struct Request: Sendable {
    /// The connection's number, from 1.
    public let connection: Int
    /// The stream's number.
    public let stream: UInt32
    /// The body so far.
    public internal(set) var body: [UInt8] = []
    /// Whether its last byte was received.
    public internal(set) var isWhole = false
  }

  /// An action of the server.
  public enum Step: Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes repeatedly, as fast as the client reads them.
    case flood([UInt8])
    /// Stops reading, and does not notice if the client closes the connection.
    case goDeaf
    /// Closes the connection.
    case close
  }

  /// The actions on a new connection with this number.
  public var greeting: @Sendable (_ connection: Int) -> [Step]
  /// The actions after the head of a request was received.
  public var atHead: @Sendable (Request) -> [Step]
  /// The actions after a whole request was received.
  public var atEnd: @Sendable (Request) -> [Step]

  /// A script that sends valid settings, and by default does not answer requests.
  public init(
    greeting: @escaping @Sendable (_ connection: Int) -> [Step] = { _ in
      [.send(HTTP2Frames.settings())]
    }, atHead: @escaping @Sendable (Request) -> [Step] = { _ in [] },
    atEnd: @escaping @Sendable (Request) -> [Step] = { _ in [] }
  ) {
    self.greeting = greeting
    self.atHead = atHead
    self.atEnd = atEnd
  }

  /// A script that answers as Graph does after a successful write or read.
  public static let good = HTTP2Script { request in [.send(HTTP2Frames.success(of: request))] }

  private init(_ atEnd: @escaping @Sendable (Request) -> [Step]) { self.init(atEnd: atEnd) }
}

/// Valid or invalid HTTP/2 frames (RFC 9113, section 6).
public enum HTTP2Frames {
  /// A frame.
  public static func frame(
    _ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let count = UInt32(payload.count)
    return [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), type, flags]
      + number(stream) + payload
  }

  /// SETTINGS with these values.
  public static func settings(_ values: [(name: UInt16, value: UInt32)] = []) -> [UInt8] {
    frame(4, values.flatMap { [UInt8($0.name >> 8), UInt8($0.name & 0xFF)] + number($0.value) })
  }

  /// GOAWAY: streams up to this one may have been processed.
  public static func goAway(lastStream: UInt32, error: UInt32 = 0) -> [UInt8] {
    frame(7, number(lastStream) + number(error))
  }

  /// RST_STREAM.
  public static func reset(_ stream: UInt32, error: UInt32) -> [UInt8] {
    frame(3, stream: stream, number(error))
  }

  /// HEADERS with a status.
  public static func head(_ stream: UInt32, status: String, isEnd: Bool = false) -> [UInt8] {
    frame(1, flags: isEnd ? 5 : 4, stream: stream, statusField(status))
  }

  /// The field `:status`, as a literal that is not indexed (RFC 7541, section 6.2.2).
  public static func statusField(_ status: String) -> [UInt8] {
    [0x08, UInt8(status.utf8.count)] + Array(status.utf8)
  }

  /// DATA.
  public static func data(_ stream: UInt32, _ text: String, isEnd: Bool = true) -> [UInt8] {
    frame(0, flags: isEnd ? 1 : 0, stream: stream, Array(text.utf8))
  }

  /// A whole answer.
  public static func answer(_ stream: UInt32, status: String, _ body: String) -> [UInt8] {
    head(stream, status: status) + data(stream, body)
  }

  /// The answer to a request, single or a batch, if all operations succeed.
  public static func success(of request: HTTP2Script.Request) -> [UInt8] {
    let form = String(decoding: request.body, as: UTF8.self)
    let single = "{\"id\":\"1_\(request.stream)\"}"
    guard form.contains("batch=") else { return answer(request.stream, status: "200", single) }
    let count = form.split(separator: "%22method%22", omittingEmptySubsequences: false).count - 1
    let item = "{\"code\":200,\"body\":\"\(single.replacing("\"", with: "\\\""))\"}"
    let items = [String](repeating: item, count: count).joined(separator: ",")
    return answer(request.stream, status: "200", "[\(items)]")
  }

  static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
  }
}
