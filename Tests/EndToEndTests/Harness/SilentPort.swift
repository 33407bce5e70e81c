#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A port on loopback that takes connections and never answers.
///
/// Nobody accepts: the kernel completes the handshake and keeps what is sent.
final class SilentPort {
  /// The listening socket.
  let descriptor: Int32
  /// The port's number.
  let number: Int

  init() throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listening = descriptor
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(listening, plain, size) == 0 && listen(listening, 64) == 0
          && getsockname(listening, plain, &size) == 0
      }
    }
    guard descriptor >= 0, result else { throw ChildProcess.Failure("no port") }
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  /// Its address.
  var url: String { "http://127.0.0.1:\(number)" }
}
