import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a stranger's file may not do to who validates or plans it.
struct HostileFileTests {
  private let graphflow: GraphFlow

  init() throws { graphflow = try GraphFlow() }

  private static let strace = ["/usr/bin/strace", "/bin/strace"]
    .first { (path: String) in access(path, X_OK) == 0 }

  /// A sound file that names everything which a run would touch.
  private static let hostile = """
    graphflow: 1
    token: other
    inputs:
      photo: {type: file, default: photos/secret.png}
    requests:
      a: {post: me/photos, files: {source: "{input=photo}"}, idempotent: false}
      b: {get: me, headers: {X-A: "$(touch /tmp/x)"}, params: {link: "http://127.0.0.1:9/"}}
    """

  @Test(
    .enabled(if: strace != nil, "strace is not there"),
    arguments: [["validate"], ["validate", "--format", "sarif"], ["plan"]]
  )
  func `no socket, no program and no other file is opened`(_ command: [String]) throws {
    let file = try graphflow.folder.write(Self.hostile, to: "hostile.yaml")
    let log = graphflow.folder.path + "/calls.log"
    let binary = try #require(GraphFlowBinary.path)
    let process = try ChildProcess(
      [
        try #require(Self.strace), "-f", "-qq", "-o", log, "-e",
        "trace=%network,%process,open,openat,openat2,creat,unlink,rename,connect", binary,
      ] + command + [file],
      environment: ["HOME": graphflow.folder.path + "/home", "PATH": "/usr/bin:/bin"],
      input: [],
      folder: graphflow.folder.path
    )
    _ = try process.wait()
    let calls = try text(of: log).split(separator: "\n")
    try #require(calls.contains { $0.contains("hostile.yaml") }, "strace may not trace here")

    #expect(calls.count { $0.contains("execve(") } == 1)
    for word in ["socket(", "connect(", "vfork(", " fork(", "unlink(", "rename("] {
      #expect(!calls.contains { $0.contains(word) }, "\(word)")
    }
    let system = [
      "/lib", "/usr/lib", "/etc/ld.so", "/proc/", "/sys/", "/usr/share", "/dev/", "/etc/",
    ]
    let own = [file, graphflow.folder.path + "/home/.config/graphflow/config.yaml"]
    let library = binary.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    for call in calls where call.contains("open") && !call.contains("ENOENT") {
      let path = call.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
      let isAllowed =
        own.contains(path) || system.contains(where: path.hasPrefix) || path.hasPrefix(library)
        || path.contains("/swift")
      #expect(isAllowed, "\(call)")
      #expect(path == file || !call.contains("O_WRONLY") && !call.contains("O_RDWR"), "\(call)")
    }
  }

  /// A file that is meant to take long, or much.
  struct Bomb: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () -> [UInt8]
    var testDescription: String { name }
  }

  static let bombs = [
    Bomb(name: "a NUL") { Array("graphflow: 1\nname: a\u{0}b\n".utf8) },
    Bomb(name: "UTF-16") { [0xFF, 0xFE] + "graphflow: 1\n".utf8.flatMap { [$0, 0] } },
    Bomb(name: "a value of 64 MiB") {
      Array("graphflow: 1\nname: ".utf8) + Array(repeating: UInt8(ascii: "a"), count: 64 << 20)
    },
    Bomb(name: "nearly 64 MiB in one value") {
      Array("graphflow: 1\nname: ".utf8) + Array(repeating: UInt8(ascii: "a"), count: 63 << 20)
    },
    Bomb(name: "aliases of aliases") {
      Array(
        ("graphflow: 1\nx-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
          + (1...20).map { "x-\($0): &a\($0) [\(String(repeating: "*a\($0 - 1), ", count: 10))]\n" }
          .joined()).utf8
      )
    },
    Bomb(name: "ten thousand levels") {
      Array(("graphflow: 1\nname: " + String(repeating: "[", count: 10_000)).utf8)
    },
    Bomb(name: "ten thousand levels of blocks") {
      Array(("graphflow: 1\nname:\n" + (1...10_000).map { _ in "- " }.joined() + "a\n").utf8)
    },
    Bomb(name: "tabs") { Array("graphflow: 1\nrequests:\n\ta: {get: me}\n".utf8) },
    Bomb(name: "a million braces") {
      Array("graphflow: 1\nname: \"".utf8) + Array(repeating: UInt8(ascii: "{"), count: 1 << 20)
        + Array("\"\nrequests: {}\n".utf8)
    },
    Bomb(name: "a million ignores") {
      Array(String(repeating: "# graphflow: ignore x\n", count: 1 << 20).utf8)
    },
  ]

  /// A second is the aim of the optimised build; one for development is many times slower.
  private static var patience: Duration {
    #if DEBUG
    .seconds(20)
    #else
    .seconds(1)
    #endif
  }

  @Test(arguments: bombs)
  func `it gets a diagnostic with a place in a second`(_ bomb: Bomb) throws {
    let bytes = bomb.make()
    let clock = ContinuousClock()
    var outcome: Outcome?
    let time = try clock.measure { outcome = try graphflow.run(["validate", "-"], input: bytes) }

    let end = try #require(outcome)
    #expect(end.code == 65, "\(end.error.prefix(300))")
    #expect(end.output.prefix(2000).firstMatch(of: /(?m)^-:\d+:\d+: error: .* \[[a-z-]+\]/) != nil)
    #expect(time < Self.patience, "\(bomb.name) took \(time)")
  }
}
