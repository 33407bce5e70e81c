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
  ///
  /// - Parameters:
  ///   - error: what the client threw.
  ///   - wasSent: whether the first byte of the request may have left.
  ///   - isCancelled: whether the caller gave up. The client calls other things cancelled, too: a
  ///     request that met a connection which the server was closing.
  ///   - proxy: the proxy that the request was to go through.
  init(_ error: any Error, wasSent: Bool, isCancelled: Bool, proxy: HTTPProxy? = nil) {
    let wasProcessed = wasSent && !(error is StreamNotProcessed)
    if isCancelled {
      self = .cancelled(wasSent: wasProcessed)
    } else if !wasSent {
      let way = proxy.map { "through the proxy \($0): " } ?? ""
      self.init(kind: .notSent, message: way + Self.reasonNotSent(error))
    } else if !wasProcessed {
      self.init(
        kind: .notProcessed,
        message: "the server closed the connection without processing the request"
      )
    } else if error is AnswerTooLarge || Self.isUnpackedTooLarge(error) {
      self.init(kind: .tooLarge, message: "the answer is larger than the limit")
    } else if let error = error as? HTTPClientError, Self.timeouts.contains(error) {
      self.init(kind: .timedOut, message: "no whole answer in time")
    } else if error as? HTTPParserError == .invalidEOFState {
      self.init(kind: .connectionLost, message: "the connection was closed within the answer")
    } else if error is HTTPParserError || error is UnusableStatus
      || error is NIOHTTPDecompression.DecompressionError
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
    .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
  ]

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
      if timeouts.contains(error) { return "no connection in time" }
      return switch error {
      case .cancelled, .remoteConnectionClosed: "the server closed the connection"
      case .proxyAuthenticationRequired: "it takes no user without the right password (status 407)"
      case .invalidProxyResponse: "it refused to open a tunnel"
      default: "the request could not be sent (\(error.shortDescription))"
      }
    }
    if String(reflecting: type(of: error)).hasPrefix("NIOSSL") {
      // The texts of TLS are its own, and quote nothing.
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
