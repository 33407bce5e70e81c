import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a stranger's file may not do to the person who validates or plans it.
struct HostileFileTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// A valid file that names everything a run would touch.
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
    .enabled(if: Strace.path != nil, "strace is not there, or may not trace"),
    arguments: [["validate"], ["validate", "--format", "sarif"], ["plan"]])
  func `no socket, no program and no other file is opened`(_ command: [String]) throws {
    let file = try graphflow.folder.write(Self.hostile, to: "hostile.yaml")
    let log = graphflow.folder.path + "/calls.log"
    let binary = try #require(GraphFlowBinary.path)
    let process = try ChildProcess(
      [
        try #require(Strace.path), "-f", "-qq", "-o", log, "-e",
        "trace=%network,%process,open,openat,openat2,creat,unlink,rename,connect", binary,
      ] + command + [file],
      environment: ["HOME": graphflow.folder.path + "/home", "PATH": "/usr/bin:/bin"], input: [],
      folder: graphflow.folder.path)
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
    let configuration = graphflow.folder.path + "/home/.config/graphflow/config.yaml"
    // The second name is the file's own in its folder, which is held open.
    let own = [file, "hostile.yaml", configuration]
    let library = binary.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    let openings = calls.filter {
      // A path that is only checked is not opened.
      $0.contains("open") && !$0.contains("ENOENT") && !$0.contains("O_PATH")
    }
    for call in openings {
      let path = call.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
      let isAllowed =
        own.contains(path) || system.contains(where: path.hasPrefix) || path.hasPrefix(library)
        || path.contains("/swift")
      #expect(isAllowed, "\(call)")
      #expect(path == file || !call.contains("O_WRONLY") && !call.contains("O_RDWR"), "\(call)")
    }
  }
}
