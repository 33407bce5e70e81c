#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads a whole HTTP request; empty if the client closes the connection first.
func receiveRequest(from connection: Int32) -> String {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let text = String(decoding: bytes, as: UTF8.self)
    if let end = text.firstRange(of: "\r\n\r\n") {
      let length = text.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
      if text[end.upperBound...].utf8.count >= length { return text }
    }
    let count = recv(connection, &chunk, chunk.count, 0)
    guard count > 0 else { return "" }
    bytes += chunk[..<count]
  }
}

/// Waits until the client closes the connection: a close with unread bytes would reset it.
func waitForClose(of connection: Int32) {
  var chunk = [UInt8](repeating: 0, count: 4096)
  while recv(connection, &chunk, chunk.count, 0) > 0 {}
}
