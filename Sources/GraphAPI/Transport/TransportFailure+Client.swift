internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix

extension TransportFailure {
  /// Judges an error of the HTTP client.
  ///
  /// The client reports broken answers as several types; this is the one place that knows them.
  /// No text of an error is taken over, as it could quote the request.
  init(_ error: any Error, wasSent: Bool) {
    if Self.isCancellation(error) {
      self = .cancelled(wasSent: wasSent)
    } else if !wasSent {
      self.init(kind: .notSent, message: Self.reasonNotSent(error))
    } else if error is AnswerTooLarge || Self.isUnpackedTooLarge(error) {
      self.init(kind: .tooLarge, message: "the answer is larger than the limit")
    } else if let error = error as? HTTPClientError, Self.timeouts.contains(error) {
      self.init(kind: .timedOut, message: "no whole answer in time")
    } else if error as? HTTPParserError == .invalidEOFState {
      self.init(kind: .connectionLost, message: "the connection was closed within the answer")
    } else if error is HTTPParserError || error is NIOHTTPDecompression.DecompressionError
      || error is NIOHTTPDecompression.ExtraDecompressionError
    {
      self.init(kind: .malformedAnswer, message: "the answer is not HTTP")
    } else {
      self.init(kind: .connectionLost, message: "the connection broke\(Self.number(of: error))")
    }
  }

  /// The caller gave up, before or after the first byte left.
  static func cancelled(wasSent: Bool) -> TransportFailure {
    TransportFailure(
      kind: .cancelled,
      message: "the call was cancelled",
      provesNothingHappened: !wasSent
    )
  }

  private static let timeouts: [HTTPClientError] = [
    .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
    .getConnectionFromPoolTimeout,
  ]

  private static func isCancellation(_ error: any Error) -> Bool {
    error is CancellationError || error as? HTTPClientError == .cancelled
  }

  private static func isUnpackedTooLarge(_ error: any Error) -> Bool {
    error as? NIOHTTPDecompression.DecompressionError == .limit
  }

  private static func reasonNotSent(_ error: any Error) -> String {
    if let error = error as? NIOConnectionError {
      let isUnknownHost = error.connectionErrors.isEmpty
      return isUnknownHost
        ? "the host \(error.host) is not known"
        : "no connection to \(error.host):\(error.port) (refused or unreachable)"
    }
    if let error = error as? HTTPClientError {
      return timeouts.contains(error)
        ? "no connection in time" : "the request could not be sent (\(error.shortDescription))"
    }
    if String(reflecting: type(of: error)).hasPrefix("NIOSSL") {
      return "no secure connection (TLS failed)"
    }
    return "no connection\(number(of: error))"
  }

  private static func number(of error: any Error) -> String {
    (error as? IOError).map { " (errno \($0.errnoCode))" } ?? ""
  }
}
