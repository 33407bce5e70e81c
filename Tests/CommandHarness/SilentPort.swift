import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A port on loopback that receives requests and never answers.
///
/// No code accepts connections: the kernel completes the handshake and keeps what is sent.
package final class SilentPort {
  private let port: LoopbackPort

  package init() throws {
    guard let port = LoopbackPort(), listen(port.descriptor, 64) == 0 else {
      throw ChildProcess.Failure("no port")
    }
    self.port = port
  }

  /// The listening socket.
  package var descriptor: Int32 { port.descriptor }

  /// The port's number.
  package var number: Int { port.number }

  /// Its address.
  package var url: String { port.url }
}
