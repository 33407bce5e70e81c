import CommandHarness
import GraphFlow
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

/// The archive for bug reports.
struct BundleTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test func `a bundle is listed, and written only if a file is named`() throws {
    #expect(try graphflow("run", "workflows/post-and-verify.yaml", "--sandbox").code == 0)
    let path = graphflow.folder.path + "/run.tar"

    let listed = try graphflow("bundle", "latest")
    #expect(listed.code == 0, "\(listed.error)")
    let names = listed.output.split(separator: "\n").map { $0.split(separator: " ")[0] }
    #expect(names == ["about.json", "report.json", "plan.json", "journal.jsonl"])
    #expect(listed.error == "nothing was written; --output FILE.tar writes these files\n")
    #expect(!graphflow.folder.files().contains("run.tar"))

    let written = try graphflow("bundle", "latest", "--output", path)
    #expect(written.code == 0, "\(written.error)")
    #expect(written.output == listed.output)
    let unpacked = try ChildProcess(
      ["tar", "-xf", path, "-C", graphflow.folder.path, "--strip-components=1"],
      environment: ["PATH": "/usr/bin:/bin"], input: [],
      folder: graphflow.folder.path)
    #expect(try unpacked.wait() == .exited(0))
    let report = try text(of: graphflow.folder.path + "/report.json")
    #expect(report == (try text(of: try graphflow.onlyRun() + "/report.json")))
    let about = try JSON(parsing: text(of: graphflow.folder.path + "/about.json"))
    #expect(about["workflow_file"]?.string == "unchanged")
    let variables = about["variables"]?.array?.compactMap(\.string) ?? []
    #expect(variables.contains("GRAPHFLOW_STATE_DIR"))
    for line in try text(of: graphflow.folder.path + "/journal.jsonl").split(separator: "\n") {
      #expect(try JSON(parsing: String(line))["event"] != nil)
    }
  }

  @Test func `a bundle holds no secret, and says that the file has changed`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me/accounts\n", to: "pages.yaml")
    let variables = ["GRAPHFLOW_ACCESS_TOKEN": sandbox.token]
    #expect(
      try graphflow("run", file, "--graph-url", sandbox.url, environment: variables).code == 0)
    try graphflow.folder.write("graphflow: 1\n", to: "pages.yaml")
    let path = graphflow.folder.path + "/run.tar"

    let outcome = try graphflow("bundle", "latest", "-o", path, environment: variables)

    #expect(outcome.code == 0, "\(outcome.error)")
    let archive = try text(of: path)
    #expect(archive.contains("\"changed\"") && !archive.contains("plan.json"))
    #expect(archive.contains("***") && !archive.contains(sandbox.token))
    #expect(!archive.contains("EAA"))
    #expect(try graphflow("bundle", "nonsense").code == 64)
    let compressed = try graphflow("bundle", "latest", "-o", path + ".gz")
    #expect(compressed.code == 64 && compressed.error.contains("compress it with gzip"))
    #expect(!graphflow.folder.files().contains("run.tar.gz"))
    #expect(try graphflow("bundle", "latest", "-o", "/nowhere/run.tar").code == 73)
  }

  @Test func `an archive is made of blocks with checked headers`() {
    var archive = TarArchive(time: 1_700_000_000)
    archive.add("a/b.txt", Array("hello".utf8))

    let bytes = archive.bytes

    #expect(bytes.count == 4 * 512)
    #expect(Array(bytes[0..<8]) == Array("a/b.txt\0".utf8))
    #expect(Array(bytes[124..<136]) == Array("00000000005\0".utf8))
    #expect(Array(bytes[257..<265]) == Array("ustar\u{0}00".utf8))
    let sum = bytes[0..<512].enumerated().reduce(0) { sum, next in
      sum + (148..<156 ~= next.offset ? 32 : Int(next.element))
    }
    #expect(Int(String(decoding: bytes[148..<154], as: UTF8.self), radix: 8) == sum)
    #expect(Array(bytes[512..<517]) == Array("hello".utf8))
  }
}
