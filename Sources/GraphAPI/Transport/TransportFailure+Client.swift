internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix

extension TransportFailure {
  /// Converts an error of the HTTP client.
  ///
  /// The client reports broken answers with several error types; only this function knows them. It
  /// does not use the messages of errors, because they could quote the request.
  ///
  /// - Parameters:
  ///   - error: the error that the client threw.
  ///   - wasSent: whether the first byte of the request may have been sent.
  ///   - isCancelled: whether the caller cancelled. The client also reports a request as cancelled
  ///     whose connection the server was closing.
  ///   - proxy: the proxy of the request.
  init(_ error: any Error, wasSent: Bool, isCancelled: Bool, proxy: HTTPProxy? = nil) {
    let wasProcessed = wasSent && !(error is StreamNotProcessed)
    if isCancelled {
      self = .cancelled(wasSent: wasProcessed)
    } else if !wasSent {
      let prefix = proxy.map { "through the proxy \($0): " } ?? ""
      self.init(kind: .notSent, message: prefix + Self.reasonNotSent(error))
    } else if !wasProcessed {
      self.init(
        kind: .notProcessed,
        message: "the server closed the connection without processing the request")
    } else if error is AnswerTooLarge || Self.isUnpackedTooLarge(error) {
      self.init(kind: .tooLarge, message: "the answer is larger than the limit")
    } else if let error = error as? HTTPClientError, Self.timeouts.contains(error) {
      self.init(kind: .timedOut, message: "no complete answer in time")
    } else if error as? HTTPParserError == .invalidEOFState {
      self.init(
        kind: .connectionLost, message: "the connection was closed before the answer was complete")
    } else if error is HTTPParserError || error is UnusableStatus
      || error is NIOHTTPDecompression.DecompressionError
      || error is NIOHTTPDecompression.ExtraDecompressionError
    {
      self.init(kind: .malformedAnswer, message: "the answer is not HTTP")
    } else {
      self.init(kind: .connectionLost, message: "the connection broke\(Self.number(of: error))")
    }
  }

  static func cancelled(wasSent: Bool) -> TransportFailure {
    TransportFailure(
      kind: .cancelled, message: "the call was cancelled", provesNothingHappened: !wasSent)
  }

  private static let timeouts: [HTTPClientError] = [
    .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
    .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
  ]

  private static func isUnpackedTooLarge(_ error: any Error) -> Bool {
    error as? NIOHTTPDecompression.DecompressionError == .limit
  }

  private static func reasonNotSent(_ error: any Error) -> String {
    if let error = error as? NIOConnectionError {
      let isUnknownHost = error.connectionErrors.isEmpty
      return isUnknownHost
        ? "unknown host \(error.host)"
        : "no connection to \(error.host):\(error.port) (refused or unreachable)"
    }
    if let error = error as? HTTPClientError {
      if timeouts.contains(error) { return "no connection in time" }
      return switch error {
      case .cancelled, .remoteConnectionClosed: "the server closed the connection"
      case .proxyAuthenticationRequired: "authentication failed (status 407)"
      case .invalidProxyResponse: "the proxy refused to open a tunnel"
      default: "the request could not be sent (\(error.shortDescription))"
      }
    }
    if String(reflecting: type(of: error)).hasPrefix("NIOSSL") {
      // The messages of TLS errors do not quote the request.
      return "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
        ? "no secure connection (TLS failed: the server's certificate is not trusted)"
        : "no secure connection (TLS failed)"
    }
    return "no connection\(number(of: error))"
  }

  private static func number(of error: any Error) -> String {
    (error as? IOError).map { " (errno \($0.errnoCode))" } ?? ""
  }
}
