import GraphAPI
import Testing

/// A broken answer, and the kind of its failure.
struct BrokenAnswer: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let behaviour: LoopbackServer.Behaviour
  let kind: TransportFailure.Kind

  private init(
    _ description: String, _ behaviour: LoopbackServer.Behaviour, _ kind: TransportFailure.Kind
  ) {
    testDescription = description
    self.behaviour = behaviour
    self.kind = kind
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let begun = bytes(ok + "Content-Length: 100\r\n\r\n[{\"code\"")
  private static let packed = bytes(ok + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd")
  private static let announced = bytes(ok + "Content-Length: 2000\r\n\r\n")
  private static let chunked = bytes(
    ok + "Transfer-Encoding: chunked\r\n\r\n7d0\r\n" + String(repeating: "x", count: 2000)
      + "\r\n0\r\n\r\n")

  /// All cases; the limit of an answer is 1,000 bytes.
  static let all = [
    BrokenAnswer("closed before the answer", .answerAndClose([]), .connectionLost),
    BrokenAnswer("reset before the answer", .reset([]), .connectionLost),
    BrokenAnswer("closed within the body", .answerAndClose(begun), .connectionLost),
    BrokenAnswer("reset within the body", .reset(begun), .connectionLost),
    BrokenAnswer(
      "closed within the head", .answerAndClose(bytes(ok + "Content-Le")), .connectionLost),
    BrokenAnswer(
      "a status of letters", .answer(bytes("HTTP/1.1 abc OK\r\n\r\n")), .malformedAnswer),
    BrokenAnswer("another protocol", .answer(bytes("SSH-2.0-OpenSSH_9.2\r\n")), .malformedAnswer),
    BrokenAnswer("gzip that is none", .answer(packed), .malformedAnswer),
    BrokenAnswer("an announced length beyond the limit", .answer(announced), .tooLarge),
    BrokenAnswer("a body beyond the limit", .answer(chunked), .tooLarge),
    BrokenAnswer("silence", .silence, .timedOut),
    BrokenAnswer("silence within the body", .answer(begun), .timedOut),
  ]

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
