import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What validating or planning a stranger's file must not do: access files outside its folder,
/// write anything, or read a credential.
struct HostileReachTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// A file that names files elsewhere in every place that takes a path.
  private static let workflow = """
    graphflow: 1
    token: other
    inputs:
      photo: {type: file, default: ../outside/photo.png}
    requests:
      a: {post: me/photos, files: {source: "{input=photo}"}, idempotent: false}
      b: {post: me/photos, files: {source: /outside/b.png, other: link.png}, idempotent: false}
      c:
        for_each: {file: ../outside/items.csv}
        requests:
          d: {get: "{item=$.id}"}
      e:
        for_each: {file: link.csv}
        requests:
          f: {get: "{item=$.id}"}

    """

  /// A token in the operator's configuration, and in a file of the operator.
  private func makeOutside() throws {
    for name in ["flows", "outside", "home/.config", "home/.config/graphflow"] {
      try graphflow.folder.makeFolder(name)
    }
    try graphflow.folder.write("id\n1\n", to: "outside/items.csv")
    try graphflow.folder.write("secret", to: "outside/photo.png")
    try graphflow.folder.write("Zm9v", to: "outside/token", mode: 0o600)
    try graphflow.folder.write(
      "profiles:\n  other: {token_file: \(graphflow.folder.path)/outside/token}\n",
      to: "home/.config/graphflow/config.yaml", mode: 0o600)
    for (name, target) in [("link.png", "photo.png"), ("link.csv", "items.csv")] {
      try #require(symlink("../outside/\(target)", "\(graphflow.folder.path)/flows/\(name)") == 0)
    }
    try graphflow.folder.write(Self.workflow, to: "flows/hostile.yaml")
  }

  /// The strace lines of every call that takes a path, creates something or sends something.
  private func calls(_ command: [String]) throws -> [Substring] {
    let log = graphflow.folder.path + "/calls.log"
    let process = try ChildProcess(
      [
        try #require(Strace.path), "-f", "-qq", "-s", "4096", "-o", log, "-e",
        "trace=%file,%network,%process,ftruncate,fchmod,fchown", try #require(GraphFlowBinary.path),
      ] + command + ["hostile.yaml"],
      environment: [
        "HOME": graphflow.folder.path + "/home", "PATH": "/usr/bin:/bin",
        "GRAPHFLOW_TOKEN": "environment-token", "HTTPS_PROXY": "http://127.0.0.1:9/",
        "GRAPHFLOW_STATE_DIR": graphflow.state,
      ], input: [], folder: graphflow.folder.path + "/flows")
    _ = try process.wait()
    let printed = String(decoding: process.standardOutput + process.standardError, as: UTF8.self)
    #expect(!printed.contains("Zm9v") && !printed.contains("environment-token"))
    let calls = try text(of: log).split(separator: "\n")
    try #require(calls.contains { $0.contains("hostile.yaml") }, "strace may not trace here")
    return calls
  }

  @Test(
    .enabled(if: Strace.path != nil, "strace is not there, or may not trace"),
    arguments: [["validate"], ["validate", "--format", "sarif"], ["plan"]])
  func `no file outside its folder and no token is opened, and nothing is written`(
    _ command: [String]
  ) throws {
    try makeOutside()
    let before = graphflow.folder.files()

    let calls = try calls(command)

    let reading = calls.filter { $0.contains("open") && !$0.contains("O_PATH") }
    #expect(reading.filter { $0.contains("outside") } == [])
    #expect(calls.filter { $0.contains("outside/token") } == [], "no token is searched for")
    let forbidden = [
      "socket(", "connect(", "vfork(", " fork(", "unlink", "rename", "mkdir", "link(", "linkat(",
      "symlink", "chmod", "chown", "truncate", "utime", "O_CREAT", "O_WRONLY", "O_RDWR", "mknod",
    ]
    for word in forbidden where word != "link(" {
      #expect(calls.filter { $0.contains(word) && !$0.contains("/dev/") } == [], "\(word)")
    }
    #expect(calls.count { $0.contains("execve(") } == 1)
    #expect(graphflow.folder.files().filter { $0 != "calls.log" } == before)
  }

  @Test(.enabled(if: Strace.path != nil, "strace is not there, or may not trace"))
  func `validate does not access the operator's configuration`() throws {
    try makeOutside()
    #expect(try calls(["validate"]).filter { $0.contains(".config/graphflow") } == [])
  }
}
