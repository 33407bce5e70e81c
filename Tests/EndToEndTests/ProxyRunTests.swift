import CommandHarness
import JSONPath
import TestSupport
import Testing

/// The command behind a company's proxy, with the company's certificate authority.
struct ProxyRunTests {
  private static let token = "EAAproxytokenproxytokenproxytoken"
  private let graphflow: CommandFixture
  private let server: SecureServer

  init() throws {
    graphflow = try CommandFixture()
    server = try SecureServer(.good)
  }

  private func get(_ environment: [String: String]) throws -> Outcome {
    try graphflow.run(
      ["get", "me", "--graph-url", server.url],
      environment: environment.merging(["GRAPHFLOW_ACCESS_TOKEN": Self.token]) { $1 })
  }

  @Test func `a run goes through the proxy, which sees no token`() throws {
    let proxy = try TunnelProxy(authorization: "Basic bWU6cGFzc0B3b3Jk")
    try graphflow.configure("ca_file: \(TestCertificates.authority)\n")
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {post: me/feed, idempotent: false}\n  b: {get: me}\n",
      to: "two.yaml")

    let outcome = try graphflow(
      "run", file, "--graph-url", server.url,
      environment: [
        "HTTPS_PROXY": "http://me:pass%40word@127.0.0.1:\(proxy.port)",
        "GRAPHFLOW_ACCESS_TOKEN": Self.token,
      ])

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(proxy.heads.count == 1)
    #expect(proxy.heads.allSatisfy { $0.hasPrefix("CONNECT localhost:\(server.port) ") })
    #expect(!String(decoding: proxy.bytes, as: UTF8.self).contains(Self.token))
    let form = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
    #expect(form.contains(Self.token))
    for file in graphflow.folder.files() {
      let text = String(
        decoding: try contents(of: "\(graphflow.folder.path)/\(file)"), as: UTF8.self)
      #expect(!text.contains("pass@word") && !text.contains("pass%40word"), "\(file)")
    }
  }

  @Test func `lower case wins, and NO_PROXY exempts hosts`() throws {
    let (proxy, other) = (try TunnelProxy(), try TunnelProxy())
    try graphflow.configure("ca_file: \(TestCertificates.authority)\n")

    #expect(try get(["https_proxy": proxy.url, "HTTPS_PROXY": other.url]).code == 0)
    #expect(proxy.heads.count == 1 && other.heads.isEmpty)
    #expect(try get(["HTTPS_PROXY": other.url, "NO_PROXY": "example.com, localhost"]).code == 0)
    #expect(
      try get(["HTTPS_PROXY": other.url, "NO_PROXY": "example.com", "no_proxy": "*"]).code == 0)
    #expect(other.heads.isEmpty)
  }

  @Test func `the sandbox on loopback is never reached through a proxy`() throws {
    let proxy = try TunnelProxy()
    let sandbox = try SandboxProcess(for: graphflow)

    let outcome = try graphflow(
      "get", "me", "--graph-url", sandbox.url,
      environment: [
        "GRAPHFLOW_ACCESS_TOKEN": sandbox.token, "HTTPS_PROXY": proxy.url,
        "HTTP_PROXY": proxy.url, "http_proxy": proxy.url,
      ])

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(proxy.bytes.isEmpty)
  }

  @Test func `an unreachable or refusing proxy is named without its password`() throws {
    let port = try #require(LoopbackPort())
    let proxy = try TunnelProxy(authorization: "Basic other")
    try graphflow.configure("ca_file: \(TestCertificates.authority)\n")
    for (number, reason) in [(port.number, "no connection to"), (proxy.port, "407")] {
      let outcome = try get(["HTTPS_PROXY": "http://me:pa55word@127.0.0.1:\(number)/"])

      #expect(outcome.code == 69)
      #expect(outcome.error.contains("through the proxy 127.0.0.1:\(number): "))
      #expect(outcome.error.contains(reason))
      #expect(!outcome.error.contains("pa55word"))
    }
    #expect(server.connections == 0)
  }

  @Test(arguments: [
    "https://me:pa55word@proxy.example:443", "socks5://me:pa55word@proxy.example",
    "http://me:pa55word@pro xy",
  ])
  func `a proxy that is not supported is refused without its password`(_ text: String) throws {
    let outcome = try get(["HTTPS_PROXY": text])

    #expect(outcome.code == 78)
    #expect(
      outcome.error == """
        error: HTTPS_PROXY must be http://[USER:PASSWORD@]HOST[:PORT]
          proxies that are reached by TLS or SOCKS are not supported

        """)
  }

  @Test func `SSL_CERT_FILE wins over ca_file, and both over the system`() throws {
    let empty = try graphflow.folder.write("no certificate\n", to: "empty.pem")

    #expect(try get([:]).code == 69)
    #expect(try get([:]).error.contains("certificate is not trusted"))
    try graphflow.configure("ca_file: \(empty)\n")
    let refused = try get([:])
    #expect(refused.code == 78)
    #expect(
      graphflow.stable(refused.error) == """
        error: ca_file: '{folder}/empty.pem' holds no readable certificates
          certificates must be in PEM format: -----BEGIN CERTIFICATE-----

        """)
    #expect(try get(["SSL_CERT_FILE": TestCertificates.authority]).code == 0)
    let missing = try get(["SSL_CERT_FILE": graphflow.folder.path + "/missing.pem"])
    #expect(missing.code == 78)
    #expect(missing.error.hasPrefix("error: SSL_CERT_FILE: cannot read "))
  }

  @Test func `ca_file may start with ~, and may not be relative`() throws {
    let authority = try text(of: TestCertificates.authority)
    try graphflow.folder.write(authority, to: "home/company.pem")
    try graphflow.configure("ca_file: ~/company.pem\n")
    #expect(try get([:]).code == 0)

    try graphflow.configure("ca_file: company.pem\n")
    let outcome = try get([:])
    #expect(outcome.code == 78)
    #expect(
      outcome.error.contains("1:10: error: 'ca_file' must be a path that begins with / or ~/"))
  }
}
