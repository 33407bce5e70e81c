import GraphAPI
import TestSupport
import Testing

/// Which servers are trusted, and how connections are encrypted.
struct SecureConnectionTests {
  @Test(arguments: SecureServer.Security.Version.allCases)
  func `TLS is 1.2 or newer`(_ newest: SecureServer.Security.Version) async throws {
    let server = try SecureServer(.good, security: .init(newest: newest))

    let outcome = try await outcome(at: server.url, route: try SecureServer.trusted())

    #expect((try? outcome.get().status) == (newest == .tls12 || newest == .tls13 ? 200 : nil))
    #expect(outcome.failure?.kind == (newest == .tls10 || newest == .tls11 ? .notSent : nil))
  }

  @Test(arguments: [
    ("ECDHE-RSA-AES128-GCM-SHA256", true), ("ECDHE-RSA-CHACHA20-POLY1305", true),
    ("ECDHE-RSA-AES256-SHA", false), ("AES128-SHA", false), ("AES256-GCM-SHA384", false),
  ])
  func `a cipher is neither CBC nor without forward secrecy`(
    _ cipher: String, _ isTaken: Bool
  ) async throws {
    let server = try SecureServer(.good, security: .init(newest: .tls12, ciphers: cipher))

    let outcome = try await outcome(at: server.url, route: try SecureServer.trusted())

    #expect((outcome.failure == nil) == isTaken, "\(outcome)")
  }

  @Test func `a certificate of an unknown authority is rejected with a message`()
    async throws
  {
    let server = try SecureServer(.good)

    let outcome = try await outcome(at: server.url, route: HTTPRoute())

    #expect(outcome.failure?.kind == .notSent)
    #expect(outcome.failure?.message.contains("certificate is not trusted") == true)
    #expect(server.requests.isEmpty)
  }

  @Test func `a certificate is valid for its names only`() async throws {
    let server = try SecureServer(.good)
    let other = "https://127.0.0.2:\(server.port)"

    #expect(try await outcome(at: other, route: try SecureServer.trusted()).failure != nil)
    #expect(server.requests.isEmpty)
  }

  @Test func `a file without certificates is rejected`() {
    #expect(TrustedCertificates(pem: []) == nil)
    #expect(TrustedCertificates(pem: Array("hello".utf8)) == nil)
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    #expect(TrustedCertificates(pem: Array(broken.utf8)) == nil)
  }

  private func outcome(
    at url: String, route: HTTPRoute
  ) async throws -> Result<WireResponse, TransportFailure> {
    let request = WireRequest(method: "POST", url: "\(url)/v25.0/me", body: Array("a=b".utf8))
    return try await HTTPClientTransport.withTransport(route: route) { transport in
      do throws(TransportFailure) {
        return .success(try await transport.send(request, timeout: .seconds(20)))
      } catch {
        return .failure(error)
      }
    }
  }
}

extension Result {
  /// The failure; nil for a success.
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
