import TestSupport
import Testing

@testable import GraphAPI

/// Proxies: their notation, the requests that use them, and the data that they see.
struct ProxyTests {
  private static let secret = "SECRETTOKEN"

  @Test(arguments: [
    ("http://proxy.example:3128", "proxy.example:3128"),
    ("proxy.example:3128", "proxy.example:3128"),
    ("http://Proxy.Example/", "proxy.example:80"), ("http://[::1]:8080", "[::1]:8080"),
    ("HTTP://me:p%40ss@10.0.0.1:8080", "10.0.0.1:8080"),
  ])
  func `a proxy has a host and a port`(_ text: String, _ description: String) {
    #expect(HTTPProxy(text)?.description == description)
  }

  @Test(arguments: [
    "", "http://", "https://proxy.example:443", "socks5://proxy.example:1080", "http://a b",
    "http://proxy.example:0", "http://proxy.example:70000", "http://proxy.example:3128/path",
    "proxy.example:port",
  ])
  func `a text that is not an HTTP proxy is rejected`(_ text: String) {
    #expect(HTTPProxy(text) == nil)
  }

  @Test func `user and password are decoded and never shown`() throws {
    let proxy = try #require(HTTPProxy("http://me:p%40ss:w%2Ford@proxy.example:3128"))

    #expect(proxy.credentials == .init(user: "me", password: "p@ss:w/ord"))
    #expect(proxy.secrets.map(\.exposed) == ["p@ss:w/ord", "me:p@ss:w/ord"])
    var dumped = ""
    dump(proxy, to: &dumped)
    for text in ["\(proxy)", String(reflecting: proxy), dumped] {
      #expect(!text.contains("ss") && !text.contains("me"))
    }
  }

  @Test(arguments: [
    ("example.com", true), ("graph.example.com", true), ("EXAMPLE.COM", true),
    ("notexample.com", false), ("example.com.evil", false), ("below.dotted.example", true),
    ("dotted.example", true), ("10.0.0.1", true), ("10.0.0.2", false), ("2.10.0.0.1", false),
    ("ported.example", false), ("::1", true), ("", false),
  ])
  func `a list exempts hosts and their subdomains`(_ host: String, _ isExempt: Bool) {
    let list = ProxyExemptions(" example.com,.dotted.example, 10.0.0.1 ::1,ported.example:8443,,")

    #expect(list.contains(host: host, port: 443) == isExempt)
  }

  @Test func `a list may name a port, or everything`() {
    #expect(ProxyExemptions("a.example:8443").contains(host: "a.example", port: 8443))
    #expect(ProxyExemptions("[::1]:8443").contains(host: "::1", port: 8443))
    #expect(!ProxyExemptions("[::1]:8443").contains(host: "::1", port: 443))
    #expect(ProxyExemptions("*").contains(host: "a.example", port: 443))
    #expect(!ProxyExemptions("").contains(host: "a.example", port: 443))
  }

  @Test func `a proxy sees CONNECT and nothing of the request`() async throws {
    let (proxy, server) = (try TunnelProxy(), try SecureServer(.good))

    let response = try await send(to: server.url, through: proxy.url).get()

    #expect(response.status == 200)
    let head = try #require(proxy.heads.first)
    #expect(proxy.heads.count == 1)
    #expect(head.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n"))
    #expect(!String(decoding: proxy.bytes, as: UTF8.self).contains(Self.secret))
    let body = try #require(server.requests.first?.body)
    #expect(String(decoding: body, as: UTF8.self).contains(Self.secret))
  }

  @Test func `plain HTTP never uses a proxy`() async throws {
    let proxy = try TunnelProxy()
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
    try await LoopbackServer.serving(.answer(answer)) { server in
      let response = try await send(to: server.url, through: proxy.url).get()

      #expect(response.status == 200)
      #expect(proxy.heads.isEmpty && proxy.bytes.isEmpty)
    }
  }

  @Test func `an exempt host is reached without the proxy`() async throws {
    let (proxy, server) = (try TunnelProxy(), try SecureServer(.good))

    let response = try await send(to: server.url, through: proxy.url, not: "localhost").get()

    #expect(response.status == 200)
    #expect(proxy.heads.isEmpty)
  }

  @Test func `a proxy receives user and password if they are configured`() async throws {
    // `printf 'me:pass@word' | base64`
    let proxy = try TunnelProxy(authorization: "Basic bWU6cGFzc0B3b3Jk")
    let server = try SecureServer(.good)
    let known = proxy.url.replacing("http://", with: "http://me:pass%40word@")

    #expect(try await send(to: server.url, through: known).get().status == 200)

    let failure = try await failure(of: send(to: server.url, through: proxy.url))
    #expect(failure.kind == .notSent)
    #expect(failure.message.contains("through the proxy 127.0.0.1:\(proxy.port): "))
    #expect(failure.message.contains("407"))
  }

  @Test(arguments: ["403 Forbidden", "502 Bad Gateway", "099 Odd", "000 Odd", "101 Switching"])
  func `a proxy that refuses gets nothing of the request`(_ status: String) async throws {
    let (proxy, server) = (try TunnelProxy(refusal: status), try SecureServer(.good))

    let failure = try await failure(of: send(to: server.url, through: proxy.url))

    #expect(failure.kind == .notSent)
    #expect(failure.message.contains("through the proxy"))
    #expect(server.connections == 0)
    #expect(!String(decoding: proxy.bytes, as: UTF8.self).contains(Self.secret))
  }

  @Test func `an unreachable proxy is named in the message`() async throws {
    let (port, server) = (try #require(LoopbackPort()), try SecureServer(.good))

    let failure = try await failure(of: send(to: server.url, through: port.url))

    #expect(failure.kind == .notSent)
    #expect(failure.message.contains("127.0.0.1:\(port.number)"))
  }

  private func send(
    to url: String, through proxy: String, not exemptions: String = ""
  ) async throws -> Result<WireResponse, TransportFailure> {
    var route = try SecureServer.trusted()
    let proxy: HTTPProxy = try #require(HTTPProxy(proxy))
    route.proxy = proxy
    route.exemptions = ProxyExemptions(exemptions)
    let request = WireRequest(
      method: "POST", url: "\(url)/v25.0/", body: Array("access_token=\(Self.secret)".utf8))
    return try await HTTPClientTransport.withTransport(route: route) { transport in
      do throws(TransportFailure) {
        return .success(try await transport.send(request, timeout: .seconds(20)))
      } catch {
        return .failure(error)
      }
    }
  }

  private func failure(of result: Result<WireResponse, TransportFailure>) throws -> TransportFailure
  {
    guard case .failure(let failure) = result else {
      Issue.record("answered")
      throw TransportFailure(kind: .malformedAnswer, message: "answered")
    }
    return failure
  }
}
