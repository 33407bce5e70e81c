import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `graphflow sandbox --tls`, asked by curl and by graphflow itself.
struct SandboxTLSTests {
  private let graphflow: CommandFixture
  private var folder: String { graphflow.folder.path + "/tls" }

  init() throws { graphflow = try CommandFixture() }

  private func serving<R>(
    _ flags: [String] = [], _ body: (_ url: String, _ facts: JSON) throws -> R
  ) throws -> R {
    let process = try graphflow.start(
      ["sandbox", "--tls", "--tls-dir", folder, "--format", "json"] + flags)
    defer {
      process.signal(15)
      _ = try? process.wait()
    }
    try process.read(for: 20) { $0.standardOutput.contains(UInt8(ascii: "\n")) }
    let facts = try JSON(parsing: process.standardOutput)
    return try body(try #require(facts["url"]?.string), facts)
  }

  /// What curl prints: the body, and `failed N` with its exit code.
  private func curl(_ words: String...) throws -> String {
    let process = try ChildProcess(
      ["/usr/bin/env", "curl", "-sS", "--max-time", "10"] + words,
      environment: ["PATH": "/usr/bin:/bin"], input: [], folder: "/")
    let status = try process.wait()
    let output = String(decoding: process.standardOutput, as: UTF8.self)
    return status == .exited(0) ? output : "failed: \(status)"
  }

  @Test func `clients trust the authority, under Graph's names and no others`() throws {
    try serving { url, facts in
      let token = try #require(facts["tokens"]?["default"]?.string)
      let authority = try #require(facts["certificate_authority"]?.string)
      let port = try #require(url.split(separator: ":").last)
      #expect(url.hasPrefix("https://localhost:"))

      let name = "\"name\":\"Alex Taylor\""
      let query = "me?fields=name&access_token=\(token)"
      let trust = ["--cacert", authority, "--connect-to", "::127.0.0.1:\(port)"]
      let plain = try curl("\(url)/\(query)")
      let own = try curl("--cacert", authority, "\(url)/\(query)")
      let graph = try curl(
        trust[0], trust[1], trust[2], trust[3], "https://graph.facebook.com/\(query)")
      let other = try curl(trust[0], trust[1], trust[2], trust[3], "https://example.com/\(query)")
      let http = try curl("http://localhost:\(port)/\(query)")
      #expect(plain.hasPrefix("failed"))
      #expect(own.contains(name) && graph.contains(name), "\(own) \(graph)")
      #expect(other.hasPrefix("failed") && http.hasPrefix("failed"))

      // Links to the next page lead to the host that was asked.
      let list = try curl(
        trust[0], trust[1], trust[2], trust[3],
        "https://graph.facebook.com/me/friends?limit=1&access_token=\(token)")
      let next = try JSON(parsing: list)["paging"]?["next"]?.string
      #expect(next?.hasPrefix("https://graph.facebook.com/") == true)

      let variables = ["SSL_CERT_FILE": authority, "GRAPHFLOW_ACCESS_TOKEN": token]
      let words = ["get", "me", "--graph-url", url, "--select", "$.name"]
      let trusting = try graphflow.run(words, environment: variables)
      #expect(trusting.output == "\"Alex Taylor\"\n", "\(trusting.error)")
    }
  }

  @Test func `the authority is kept, and its key is only for its owner`() throws {
    try graphflow.folder.makeFolder("home")
    let first = try serving { _, _ in try text(of: folder + "/ca.pem") }
    let second = try serving { _, _ in try text(of: folder + "/ca.pem") }
    #expect(first == second)
    #expect(first.hasPrefix("-----BEGIN CERTIFICATE-----\n"))

    let key = folder + "/ca-key.pem"
    #expect(chmod(key, 0o644) == 0)
    let readable = try graphflow("sandbox", "--tls", "--tls-dir", folder)
    #expect(chmod(key, 0o600) == 0)
    try graphflow.folder.write("nonsense", to: "tls/ca.pem")
    let damaged = try graphflow("sandbox", "--tls", "--tls-dir", folder)
    let alone = try graphflow("sandbox", "--tls-dir", folder)

    #expect(readable.code == 78)
    #expect(readable.error.contains("can be read by users other than its owner"))
    #expect(damaged.code == 78)
    #expect(damaged.error.contains("are no authority"))
    #expect(alone.code == 64)
  }
}
