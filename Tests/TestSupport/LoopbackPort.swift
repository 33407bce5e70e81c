#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A port on loopback that is reserved during the lifetime of this value.
///
/// It refuses connections until a server listens on its socket.
public final class LoopbackPort {
  /// The bound socket.
  public let descriptor: Int32
  /// The port's number.
  public let number: Int

  /// Reserves a port; nil if the system has none.
  public init?() {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(descriptor, plain, size) == 0 && getsockname(descriptor, plain, &size) == 0
      }
    }
    number = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else { return nil }
  }

  deinit { close(descriptor) }

  /// Its address.
  public var url: String { "http://127.0.0.1:\(number)" }
}
