import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file of the workflow's folder that is swapped for a link to a file outside, just before each
/// system call that names the file.
@Suite(.enabled(if: PreloadedLibrary.swap != nil, "there is no C compiler here"))
struct SwappedFileTests {
  private let graphflow: CommandFixture

  init() throws {
    graphflow = try CommandFixture()
    try graphflow.folder.makeFolder("w")
    try graphflow.folder.makeFolder("outside")
  }

  private func path(_ name: String) -> String { graphflow.folder.path + "/" + name }

  /// Creates a link to a file outside, which replaces one in the folder.
  private func makeLink(to target: String) throws {
    unlink(path("link"))
    try #require(symlink("../outside/" + target, path("link")) == 0)
  }

  /// Runs a command once for each of its system calls that name the file.
  ///
  /// The link is in place from that call on; `body` receives the result.
  private func forEachSwap(
    of name: String, _ command: [String], isOldKernel: Bool = false,
    _ environment: [String: String] = [:], _ body: (Outcome) throws -> Void
  ) throws -> Int {
    for call in 1...100 {
      unlink(path("w/" + name))
      try graphflow.folder.write("text\ninside\n", to: "w/" + name)
      try makeLink(to: name)
      let variables = [
        "LD_PRELOAD": try #require(PreloadedLibrary.swap), "SWAP_FILE": path("w/" + name),
        "SWAP_FOR": path("link"), "SWAP_AT": "\(call)", "SWAP_OLD": isOldKernel ? "1" : "",
      ]
      let outcome = try graphflow.run(
        command, in: path("w"), environment: environment.merging(variables) { $1 })
      guard FileKind(of: path("link")) != nil else {
        try body(outcome)
        continue
      }
      // There was no such call, so nothing was swapped. The port answers uploads incompletely.
      #expect([0, 1].contains(outcome.code), "\(outcome.error)")
      return call - 1
    }
    return 100
  }

  @Test(arguments: [false, true])
  func `items from outside the folder are never sent`(_ isOldKernel: Bool) throws {
    try graphflow.folder.write("text\nsecret-from-outside\n", to: "outside/rows.csv")
    try graphflow.folder.write(
      """
      graphflow: 1
      token: page
      requests:
        a:
          for_each: {file: rows.csv}
          key: "{item=$.text}"
          post: me/feed
          params: {message: "{item=$.text}"}
          idempotent: true

      """, to: "w/a.yaml")

    var sent = 0
    let swaps = try forEachSwap(
      of: "rows.csv", ["run", "a.yaml", "--sandbox", "--report", "-", "--on-unfinished", "ignore"],
      isOldKernel: isOldKernel
    ) { outcome in
      #expect(!outcome.output.contains("secret-from-outside"))
      #expect(!outcome.error.contains("secret-from-outside"))
      if outcome.output.contains("inside") { sent += 1 }
      #expect([0, 1, 65, 66].contains(outcome.code), "\(outcome.error)")
    }

    // The file is checked and opened when the workflow is read, validated and run.
    #expect(swaps >= 4)
    #expect(sent < swaps)
  }

  @Test(arguments: [false, true])
  func `no part of an upload comes from outside the folder`(_ isOldKernel: Bool) throws {
    try graphflow.folder.write("secret-from-outside\n", to: "outside/photo.png")
    try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {post: me/photos, idempotent: true, files: {source: photo.png}}\n",
      to: "w/a.yaml")
    let port = try PublishingPort([])

    let swaps = try forEachSwap(
      of: "photo.png", ["run", "a.yaml", "--on-unfinished", "ignore"], isOldKernel: isOldKernel,
      port.environment
    ) { _ in
      #expect(!port.received.contains("secret-from-outside"))
    }

    #expect(port.received.contains("inside"))
    #expect(swaps >= 4)
  }

  @Test func `a fix writes nothing outside the folder`() throws {
    let broken = "graphflow: 1\nrequests:\n  a: {gte: me}\n"
    let outside = try graphflow.folder.write(broken, to: "outside/b.yaml")
    try graphflow.folder.write(broken, to: "w/b.yaml")
    for call in 1...100 {
      unlink(path("w/b.yaml"))
      try graphflow.folder.write(broken, to: "w/b.yaml")
      try makeLink(to: "b.yaml")
      let outcome = try graphflow.run(
        ["validate", "--fix", call.isMultiple(of: 2) ? "b.yaml" : "."], in: path("w"),
        environment: [
          "LD_PRELOAD": try #require(PreloadedLibrary.swap), "SWAP_FILE": path("w/b.yaml"),
          "SWAP_FOR": path("link"), "SWAP_AT": "\((call + 1) / 2)",
        ])

      #expect(try text(of: outside) == broken)
      #expect([0, 66, 74].contains(outcome.code), "\(outcome.error)")
      if FileKind(of: path("link")) != nil {
        #expect(call > 8)
        return
      }
    }
  }
}
